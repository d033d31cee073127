// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/registry.hpp"
#include "study/run_plan.hpp"

/// Texts that are equal for runs in which keys have equal values. They follow the declarations of the keys, so that no
/// input that is kept for other runs leaves a key out.
namespace palstudy {

/// The value of a key that one member of the run's options has (Key::read). Errors (fault): another key.
[[nodiscard]] std::string value_text(const RunPlan& run, const std::string& key);
/// The values of all such keys of a section on which depends what it makes (Key::shapes).
[[nodiscard]] std::string section_text(const RunPlan& run, const std::string& section);
/// The values of the parameters of a registered thing.
[[nodiscard]] std::string params_text(const std::vector<Param>& params, const ParamValues& values);

}  // namespace palstudy
