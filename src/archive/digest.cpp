// SPDX-License-Identifier: MIT
#include "archive/digest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "archive/sha256.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

static_assert(std::endian::native == std::endian::little, "values are hashed and stored as they lie in memory");

/// Collects small pieces, since a call of OpenSSL for every value would cost more than the hashing.
class Hasher {
 public:
  void bytes(const void* data, std::size_t size) {
    if (used_ + size > sizeof(buffer_)) flush();
    if (size > sizeof(buffer_)) {
      sum_.add(data, size);
      return;
    }
    if (size > 0) std::memcpy(buffer_ + used_, data, size);
    used_ += size;
  }
  template <class T>
  void value(T number) {
    bytes(&number, sizeof number);
  }
  void column(const Column& column, const ColumnValues& values) {
    bytes(column.name.data(), column.name.size());
    value('\0');
    value(static_cast<char>(column.type));
    value(std::uint64_t{size(values)});
    std::visit([this](const auto& v) { this->values(v); }, values);
  }
  std::string finish_hex() {
    flush();
    return sum_.finish_hex();
  }

 private:
  void values(const std::vector<std::int64_t>& integers) { bytes(integers.data(), integers.size() * 8); }
  void values(const std::vector<double>& reals) {
    for (const double real : reals) {
      // -0 and +0 are equal, and so are all NaNs, but their bytes differ: one pattern for each.
      if (std::isnan(real)) {
        value(std::uint64_t{0x7ff8000000000000});
      } else {
        value(real == 0 ? 0.0 : real);
      }
    }
  }
  void values(const TextColumn& text) {
    for (std::size_t i = 0; i < text.codes.size(); ++i) {
      const std::string& name = text.at(i);
      value(static_cast<std::uint32_t>(name.size()));
      bytes(name.data(), name.size());
    }
  }
  void flush() {
    sum_.add(buffer_, used_);
    used_ = 0;
  }

  Sha256 sum_;
  std::size_t used_ = 0;
  char buffer_[1 << 14];
};

void add_table(Hasher& hasher, const TableData& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].digested) hasher.column(table.columns[i], table.values[i]);
  }
}

std::array<std::uint8_t, 32> from_hex(const std::string& hex, std::int64_t run) {
  const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; };
  std::array<std::uint8_t, 32> bytes{};
  bool good = hex.size() == 64;
  for (std::size_t i = 0; good && i < bytes.size(); ++i) {
    const int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
    good = high >= 0 && low >= 0;
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  if (!good) {
    throw data_error("the digest \"" + hex + "\" is not 64 hex digits", "/runs/digest, run " + std::to_string(run),
                     "The archive is damaged or not ours; make it again.");
  }
  return bytes;
}

}  // namespace

std::string run_digest(const RunRecord& record) {
  Hasher hasher;
  for (const TableData* table : {&record.runs, &record.jobs, &record.events, &record.rounds}) {
    if (table->rows() == 0) continue;
    add_table(hasher, *table);
    if (table == &record.events) add_table(hasher, record.event_gpus);
  }
  return hasher.finish_hex();
}

std::string archive_digest(const std::vector<std::int64_t>& runs, const std::vector<RunStatus>& statuses,
                           const std::vector<std::string>& digests) {
  if (runs.size() != statuses.size() || runs.size() != digests.size()) throw fault("digests of other runs");
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return runs[a] < runs[b]; });
  Hasher hasher;
  constexpr std::string_view version = "palstudy-digest-1\n";
  hasher.bytes(version.data(), version.size());
  for (const std::size_t i : order) {
    hasher.value(static_cast<std::uint64_t>(runs[i]));
    hasher.value(static_cast<std::uint8_t>(statuses[i] == RunStatus::done ? 0 : 1));
    const auto bytes = from_hex(digests[i], runs[i]);
    hasher.bytes(bytes.data(), bytes.size());
  }
  return hasher.finish_hex();
}

}  // namespace palstudy
