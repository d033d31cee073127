// SPDX-License-Identifier: MIT
#pragma once

#include "core/error.hpp"

namespace palstudy {

/// What was named as an archive is none: no file, no HDF5, another's HDF5, or of a version that this program does not
/// read. Told apart from an archive that is damaged, which is a finding of `verify`.
class NotAnArchive : public Error {
 public:
  NotAnArchive(const std::string& what, const std::string& where, const std::string& advice)
      : Error(ErrorCode::data, what, where, advice) {}
};

}  // namespace palstudy
