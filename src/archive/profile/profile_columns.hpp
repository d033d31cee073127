// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "archive/profile/profile_rows.hpp"

namespace palstudy {

inline constexpr const char* profile_schema_name = "palstudy-profile";
/// Another first number is refused by readers; another second one has more than this.
inline constexpr const char* profile_schema_version = "1.3.0";

/// How a column is stored.
enum class ProfileForm {
  digested,  ///< and in the digest
  derived,   ///< from others, so not in the digest
  coded      ///< text that repeats: codes into a table of names; digested
};

/// One column of the rows of a table. These drive the file, its digest, and hdf5-schemas/profile.json.
template <class Row>
struct ProfileColumn {
  using Member = std::variant<std::string Row::*, std::int32_t Row::*, std::uint32_t Row::*, std::int64_t Row::*,
                              bool Row::*, float Row::*, double Row::*>;
  const char* name;
  const char* units;
  const char* long_name;
  Member member;
  ProfileForm form = ProfileForm::digested;
};

/// In the order in which they are stored and digested.
template <class Row>
[[nodiscard]] const std::vector<ProfileColumn<Row>>& profile_columns();
template <>
const std::vector<ProfileColumn<ProfileGpu>>& profile_columns();
template <>
const std::vector<ProfileColumn<ProfileSession>>& profile_columns();
template <>
const std::vector<ProfileColumn<ProfileKernel>>& profile_columns();
template <>
const std::vector<ProfileColumn<RepeatRow>>& profile_columns();
template <>
const std::vector<ProfileColumn<BatchRow>>& profile_columns();
template <>
const std::vector<ProfileColumn<SampleRow>>& profile_columns();
template <>
const std::vector<ProfileColumn<ProfileTransfer>>& profile_columns();
template <>
const std::vector<ProfileColumn<ProfileUtilization>>& profile_columns();

}  // namespace palstudy
