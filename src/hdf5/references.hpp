// SPDX-License-Identifier: MIT
#pragma once

// Included by the hdf5_*.cpp files alone.
#include <map>
#include <string>
#include <vector>

#include "hdf5/handle.hpp"

namespace palstudy::hdf5 {

/// An element of the attribute REFERENCE_LIST: who uses the scale, for which of its dimensions.
struct Use {
  hobj_ref_t dataset;
  std::int32_t dimension;
};

/// The types of the elements of REFERENCE_LIST and DIMENSION_LIST.
[[nodiscard]] Handle use_type(const std::string& where);
[[nodiscard]] Handle list_type(const std::string& where);

[[nodiscard]] hobj_ref_t reference(hid_t file, const std::string& path, const std::string& where);
/// What the attribute DIMENSION_LIST of a dataset refers to; 0 if it has none, or not one scale for one dimension.
[[nodiscard]] hobj_ref_t scale_of(hid_t file, const std::string& path, const std::string& where);
/// The elements of the attribute REFERENCE_LIST of a scale; none if it has no such attribute.
[[nodiscard]] std::vector<Use> uses_of(hid_t file, const std::string& path, const std::string& where);

}  // namespace palstudy::hdf5
