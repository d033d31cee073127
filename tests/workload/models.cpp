// SPDX-License-Identifier: MIT
#include "workload/models.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"

namespace palstudy::testing_workload {

ModelTable three_models() {
  const double nan = std::nan("");
  ModelTable table;
  table.models["BERT"] = {"B", 0.179, 1.36e9, nan, nan, 0, "made up"};
  table.models["resnet50"] = {"A", 0.25, 102e6, 0.9, 0.5, 0, "made up"};
  table.models["vgg19"] = {"C", 0.5, 575e6, nan, nan, 0, "made up"};
  return table;
}

ModelTable carried_models() { return read_model_table(PALSTUDY_SOURCE_DIR "/jobs/models.toml"); }

std::string refusal(int exit_code, const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), exit_code) << error.what();
    EXPECT_NE(std::string(error.what()).find("\n  "), std::string::npos) << "says what to do: " << error.what();
    return error.what();
  }
  return "(nothing was thrown)";
}

}  // namespace palstudy::testing_workload
