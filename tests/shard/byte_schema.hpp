// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace palstudy::test {

/// Reads bytes by a schema of hdf5-schemas/ that describes them (shard.json, checkpoint.json) and by nothing else: it
/// knows no struct, field or order of the program. `how_to_read` in those files says what the words mean.
class BySchema {
 public:
  BySchema(const nlohmann::json& schema, std::span<const std::byte> bytes) : schema_(schema), bytes_(bytes) {}
  /// The values by name. Throws std::runtime_error where bytes and schema disagree, checksums included.
  [[nodiscard]] nlohmann::json read();

 private:
  struct Scope {
    const Scope* outer;
    nlohmann::json values;
    std::map<std::string, std::pair<std::size_t, std::size_t>> places;  ///< begin and end of each field
  };
  nlohmann::json read_struct(const std::string& name, const Scope* outer);
  void read_fields(const nlohmann::json& fields, Scope& scope);
  void read_field(const nlohmann::json& field, Scope& scope);
  nlohmann::json read_one(const nlohmann::json& field, const Scope& scope, std::size_t place);
  nlohmann::json read_number(const std::string& type);
  template <class T>
  T take_number();
  std::string take(std::uint64_t size);
  void check_sums(const nlohmann::json& fields, const Scope& scope) const;

  const nlohmann::json& schema_;
  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// A file of hdf5-schemas/.
[[nodiscard]] nlohmann::json read_schema(const std::string& name);
[[nodiscard]] std::vector<std::byte> bytes_of_file(const std::string& path);
/// XXH3-64.
[[nodiscard]] std::uint64_t hash_of_text(const std::string& bytes);

}  // namespace palstudy::test
