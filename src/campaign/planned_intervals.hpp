// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "study/study.hpp"

namespace palstudy {

class Inputs;

/// Before a study is run: "no interval: 4 of at least 8 replications (combinations of seeds)", as `compare` will say of
/// its gains, whatever the runs give; "" if they can have intervals, or there is nothing to compare. Loads the trace
/// that is resampled, if one is.
[[nodiscard]] std::string no_interval_line(const Study& study, Inputs& inputs);

}  // namespace palstudy
