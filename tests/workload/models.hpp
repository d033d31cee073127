// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "workload/model_table.hpp"

namespace palstudy::testing_workload {

/// BERT (class B, 0.179 s), resnet50 (A, 0.25 s, busy 0.9, bandwidth 0.5) and vgg19 (C, 0.5 s).
ModelTable three_models();

/// The model table that the program carries.
ModelTable carried_models();

/// The message of the error that `act` throws; its exit code has to be `exit_code`.
std::string refusal(int exit_code, const std::function<void()>& act);

}  // namespace palstudy::testing_workload
