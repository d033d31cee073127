// SPDX-License-Identifier: MIT
#pragma once

// Included by .cpp files of this room alone.
#include <map>
#include <string>
#include <vector>

#include "hdf5/handle.hpp"

namespace palstudy::hdf5 {

/// An element of the attribute REFERENCE_LIST: a dataset that has the scale, and for which of its dimensions.
struct ScaleUse {
  hobj_ref_t dataset;
  std::int32_t dimension;
};

[[nodiscard]] bool has_attribute(hid_t file, const std::string& object, const char* name, const std::string& where);

/// The types of the elements of REFERENCE_LIST and DIMENSION_LIST.
[[nodiscard]] Handle use_type(const std::string& where);
[[nodiscard]] Handle list_type(const std::string& where);

[[nodiscard]] hobj_ref_t reference(hid_t file, const std::string& path, const std::string& where);
/// What the attribute DIMENSION_LIST of a dataset refers to; 0 if it has none, or not one scale for one dimension.
[[nodiscard]] hobj_ref_t scale_of(hid_t file, const std::string& path, const std::string& where);
/// The elements of the attribute REFERENCE_LIST of a scale; none if it has no such attribute.
[[nodiscard]] std::vector<ScaleUse> uses_of(hid_t file, const std::string& path, const std::string& where);

}  // namespace palstudy::hdf5
