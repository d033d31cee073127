// SPDX-License-Identifier: MIT
#include "cli/tables/advice_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/widest_line.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

bool has_line_with(const std::string& text, const std::string& first, const std::string& second) {
  return std::ranges::any_of(split(text), [&](const std::string& line) {
    return line.find(first) != std::string::npos && line.find(second) != std::string::npos;
  });
}

ActionGain gain_of(Action action, double gain, bool helps) {
  ActionGain one{action};
  one.helps = helps;
  one.jct.emplace();
  one.jct->mean = gain, one.jct->low = gain - 0.01, one.jct->high = gain + 0.01;
  one.jct->ratio = 1 - gain, one.jct->ratio_low = 1 - gain - 0.01, one.jct->ratio_high = 1 - gain + 0.01;
  one.jct->pairs = 16, one.jct->wins = 15;
  return one;
}

/// Of 20 nodes one is slow, and draining it is advised; another is not measured.
AdviceFound drained() {
  AdviceFound found;
  for (std::uint32_t n = 0; n < 20; ++n) {
    found.nodes.push_back({.node = n,
                           .host = "a-host-with-a-long-name-" + std::to_string(n),
                           .measured = n != 7,
                           .cls = "A",
                           .slowdown = n == 0 ? 1.5 : 1,
                           .gpus = 4,
                           .weight = n == 0 ? 11 : 1});
  }
  found.advice.action = {ActionKind::drain, 1};
  found.advice.actions = {gain_of({}, 0, false), gain_of({ActionKind::drain, 1}, 0.05, true),
                          gain_of({ActionKind::drain, 6}, -0.2, false), gain_of({ActionKind::place, 0}, 0.005, false)};
  found.advice.actions[1].job_h_saved = 123456, found.advice.actions[1].gpu_h_saved = -7;
  found.advice.actions[1].capacity_share = 0.05;
  found.advice.replications = 16;
  found.slowest_gpu_alone = gain_of({ActionKind::drain, 1}, 0.03, true);
  found.settings = {{OtherSetting::What::penalty, "1.35", gain_of({ActionKind::drain, 1}, 0.02, true)}};
  found.notes = {{"not-validated", Severity::care, "jobs.psv", {{"changed", false}}},
                 {"unmeasured-nodes", Severity::care, "", {{"nodes", 1}, {"of", 20}}}};
  found.title = "site";
  found.jobs = 987, found.span_s = 28 * 86400.0, found.gpus = 80;
  return found;
}

AdviceFound nothing() {
  AdviceFound found = drained();
  found.advice.action = {};
  found.settings.clear();
  return found;
}

TEST(AdviceTables, FitTheScreen) {
  EXPECT_LE(widest_line(advice_text(drained(), 100)), 100U);
  EXPECT_LE(widest_line(advice_text(nothing(), 100)), 100U);
}

// The advised action is marked, tables show changes, and an interval that holds no change too has a ~.
TEST(AdviceTables, MarkTheAdviceAndItsDoubts) {
  const std::string text = advice_text(drained(), 200);
  EXPECT_TRUE(has_line_with(text, "> drain 1 node", "-5.00 %")) << text;
  EXPECT_TRUE(has_line_with(text, "drain 6 nodes", "+20.00 %")) << text;
  EXPECT_TRUE(has_line_with(text, "place as PAL does", "~")) << text;
  EXPECT_FALSE(has_line_with(text, "drain 6 nodes", "~")) << text;
  EXPECT_FALSE(has_line_with(text, "> drain 1 node", "~")) << text;
  EXPECT_TRUE(has_line_with(text, "> drain 1 node", "-123456")) << text;
  EXPECT_TRUE(has_line_with(text, "penalty 1.35", "-2.00 %")) << text;
  EXPECT_TRUE(has_line_with(text, "not measured", "a-host-with-a-long-name-7")) << text;
}

// Whether the model was validated stands in words; of other notes the ids.
TEST(AdviceTables, SayWhetherTheModelWasValidated) {
  const std::string text = advice_text(drained(), 200);
  EXPECT_TRUE(has_line_with(text, "not-validated  ", "recorded starts")) << text;
  EXPECT_TRUE(has_line_with(text, "notes: unmeasured-nodes;", "palstudy explain")) << text;
}

// "Do nothing" is an answer: what other actions need, and what they hang on, is left out.
TEST(AdviceTables, StopWhereNothingPays) {
  const std::string text = advice_text(nothing(), 100);
  EXPECT_EQ(text.rfind("do nothing", 0), 0U) << text;
  EXPECT_EQ(text.find("what it needs"), std::string::npos);
  EXPECT_EQ(text.find("hangs on"), std::string::npos);
  EXPECT_TRUE(has_line_with(text, "> do nothing", "baseline")) << text;
}

TEST(AdviceTables, AsJsonHaveEachValue) {
  const auto json = nlohmann::json::parse(advice_json(drained()));
  EXPECT_EQ(json.at("schema"), "palstudy.advice/1");
  EXPECT_EQ(json.at("action"), "drain");
  EXPECT_EQ(json.at("drained"), 1);
  EXPECT_EQ(json.at("gain"), 0.05);
  EXPECT_NEAR(json.at("low").get<double>(), 0.04, 1e-12);
  EXPECT_NEAR(json.at("high").get<double>(), 0.06, 1e-12);
  EXPECT_TRUE(json.at("no_interval").is_null());
  EXPECT_EQ(json.at("jobs"), 987);
  EXPECT_EQ(json.at("gpus"), 80);
  ASSERT_EQ(json.at("actions").size(), 4U);
  EXPECT_EQ(json.at("actions").at(1).at("nodes"), nlohmann::json{"a-host-with-a-long-name-0"});
  EXPECT_EQ(json.at("actions").at(1).at("gpu_hours_saved"), -7);
  EXPECT_EQ(json.at("actions").at(1).at("capacity_lost"), 0.05);
  EXPECT_EQ(json.at("actions").at(2).at("helps"), false);
  EXPECT_EQ(json.at("actions").at(2).at("nodes").size(), 6U);
  EXPECT_EQ(json.at("slowest_gpu_alone").at("value"), 0.03);
  EXPECT_EQ(json.at("settings").at(0).at("what"), "penalty");
  EXPECT_EQ(json.at("settings").at(0).at("value"), "1.35");
  EXPECT_EQ(json.at("nodes").size(), 20U);
  EXPECT_EQ(json.at("nodes").at(0).at("weight"), 11);
  EXPECT_EQ(json.at("unmeasured"), nlohmann::json{"a-host-with-a-long-name-7"});
  EXPECT_EQ(json.at("notes").at(0).at("id"), "not-validated");
}

// Doing nothing gains 0 and has no interval; an action without a result is null.
TEST(AdviceTables, WhatIsNotThereIsNull) {
  AdviceFound found = nothing();
  found.advice.actions[2].jct.reset();
  found.slowest_gpu_alone.reset();
  const auto json = nlohmann::json::parse(advice_json(found));
  EXPECT_EQ(json.at("action"), "nothing");
  EXPECT_EQ(json.at("gain"), 0.0);
  EXPECT_TRUE(json.at("low").is_null());
  EXPECT_TRUE(json.at("high").is_null());
  EXPECT_TRUE(json.at("actions").at(2).at("gain").is_null());
  EXPECT_TRUE(json.at("slowest_gpu_alone").is_null());
}

}  // namespace
}  // namespace palstudy
