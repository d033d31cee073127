// SPDX-License-Identifier: MIT
#include "hdf5/content_sum.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "hdf5/handle.hpp"

namespace palstudy::hdf5 {

void ContentSum::text(std::string_view characters) {
  number(characters.size());
  bytes(characters.data(), characters.size());
}

std::string ContentSum::hex() const {
  const XXH128_hash_t sum = XXH3_128bits_digest(&sum_);
  return fmt::format("{:016x}{:016x}", sum.high64, sum.low64);
}

std::string type_words(hid_t type, const std::string& where) {
  if (H5Tequal(type, H5T_STD_I64LE) > 0) return "int64";
  if (H5Tequal(type, H5T_STD_I32LE) > 0) return "int32";
  if (H5Tequal(type, H5T_IEEE_F64LE) > 0) return "float64";
  if (H5Tequal(type, H5T_IEEE_F32LE) > 0) return "float32";
  if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0) {
    return fmt::format("text{} {} {}", H5Tget_size(type), static_cast<int>(H5Tget_strpad(type)),
                       static_cast<int>(H5Tget_cset(type)));
  }
  throw data_error("is of a type that no file of this program has", where, restore_file);
}

ContentSum sum_of_values(hid_t type, std::size_t rows, const std::string& where) {
  ContentSum sum;
  sum.text(type_words(type, where));
  sum.number(rows);
  return sum;
}

}  // namespace palstudy::hdf5
