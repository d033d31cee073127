// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "record/record.hpp"

namespace palstudy {

/// An axis value as it is written in the study.
[[nodiscard]] std::string axis_text(const AxisValue& value);

}  // namespace palstudy
