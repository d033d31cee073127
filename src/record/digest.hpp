// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/sha256.hpp"
#include "record/tables.hpp"

namespace palstudy {

/// Hex digest of a run: SHA-256 over the digested columns of its digested tables, and over nothing else, so that it can
/// be computed again from an archive; hdf5-schemas/digest.md lists the bytes that enter.
[[nodiscard]] std::string run_digest(const RunRecord& record);

/// Computes the digest of a run and writes it into the record and into its row of /runs.
void set_digest(RunRecord& record);

/// Hex digest of an archive from its run digests: runs, statuses and digests, taken in run order whatever the order
/// given. Errors (data): a digest that is not 64 hex digits. Errors (fault): arrays of different lengths.
[[nodiscard]] std::string archive_digest(const std::vector<std::int64_t>& runs, const std::vector<RunStatus>& statuses,
                                         const std::vector<std::string>& digests);

/// SHA-256 over columns of values, as hdf5-schemas/digest.md defines it. Collects small pieces, since a call of OpenSSL
/// for every value would cost more than the hashing.
class ColumnHasher {
 public:
  void bytes(const void* data, std::size_t size);
  template <class T>
  void value(T number) {
    bytes(&number, sizeof number);
  }
  /// What a column begins with: its name, the letter of its type, and how many values follow.
  void column(std::string_view name, char type, std::uint64_t count);
  /// One pattern for both zeros and one for all NaNs: they are equal, but their bytes differ.
  void real(double number) { reals({&number, 1}); }
  /// Many, one after the other: faster than one by one.
  void reals(std::span<const double> numbers);
  void text(std::string_view characters);
  /// The texts with these codes, one after the other: faster than one by one.
  void texts(const std::vector<std::string>& names, std::span<const std::int32_t> codes);
  /// Ends it; nothing may be added after.
  [[nodiscard]] std::string finish_hex();

 private:
  void flush();

  Sha256 sum_;
  std::size_t used_ = 0;
  char buffer_[1 << 14];
};

}  // namespace palstudy
