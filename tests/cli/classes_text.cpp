// SPDX-License-Identifier: MIT
#include "cli/tables/classes_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "campaign/scratch.hpp"
#include "cli/tables/profile_tables.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

KernelUse use(const std::string& label, double u_dram, double u_fu, double spread) {
  KernelUse made;
  made.label = label;
  made.gpus = 8;
  made.time_s = 0.001;
  made.u_dram = made.u_dram_most = u_dram;
  made.u_fu = u_fu;
  made.spread = spread;
  return made;
}

Classification found() {
  return classify({use("sgemm", 0.05, 0.9, 0.02), use("conv", 0.1, 0.8, 0.015), use("rank", 0.8, 0.05, 0.001),
                   use("fft", 0.7, 0.1, 0.002)},
                  {}, "p.h5");
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class KnownUses : public Scratch {};

// The table that a study names is TOML with the kernels that stand for the classes.
TEST(ClassesText, TableOfClasses) {
  const std::string toml = classes_toml(found(), "mine", "p.h5");
  EXPECT_TRUE(has(toml, "[classes.mine]\nA = \"conv\"")) << toml;  // equally near, and before sgemm by name
  EXPECT_TRUE(has(toml, "B = \"fft\"")) << toml;
}

TEST(ClassesText, SaysTheOrderOfTheSpreads) {
  EXPECT_TRUE(has(classes_text(found(), {}), "The order agrees with the measured spreads"));
  auto uses = found().uses;
  for (KernelUse& one : uses) one.spread = one.u_dram;
  const std::string against = classes_text(classify(uses, {}, "p.h5"), {});
  EXPECT_TRUE(has(against, "does not agree")) << against;
  EXPECT_TRUE(has(against, "by spread the order is B, A")) << against;
}

TEST(ClassesText, JsonHasTheFigures) {
  const auto json = nlohmann::json::parse(classes_json(found(), {{"mine", {0.06, 0.85}}, {"half", {NAN, 0.85}}}));
  EXPECT_EQ(json.at("kernels").size(), 4U);
  EXPECT_EQ(json.at("classes").size(), 2U);
  EXPECT_EQ(json.at("silhouettes").size(), 2U);
  EXPECT_EQ(json.at("others").at(0).at("class"), "A");
  EXPECT_EQ(json.at("others").at(1).at("class"), "-");
  EXPECT_EQ(json.at("notes").size(), 1U);
  EXPECT_EQ(json.at("notes").at(0).at("id"), "unsure-class");
  EXPECT_EQ(json.at("notes").at(0).at("subject"), "half");
  EXPECT_EQ(json.at("spread_order").at("tau"), 1.0);
}

TEST_F(KnownUses, AreSharesAndNoPercentages) {
  const auto path = write("apps.csv", "application,u_dram,u_fu\nvgg,0.3,0.8\n");
  const auto uses = read_known_uses(path.string());
  write("apps.csv", "application,u_dram,u_fu\nvgg,30,80\n");
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].application, "vgg");
  EXPECT_EQ(uses[0].use, (Point2{0.3, 0.8}));
  EXPECT_TRUE(has(message_of([&] { (void)read_known_uses(path.string()); }), ":2:5"));
}

// Models whose exchange is not known have no row; the levels are those of the example of docs/howto/profiles.md.
TEST(LinkTables, OfModelsWithBytes) {
  LocalityModel links;
  links.levels[0].seconds_per_byte = 1 / 130e9;
  links.levels[1].seconds_per_byte = links.levels[2].seconds_per_byte = 1 / 12.5e9;
  links.levels[0].points = links.levels[2].points = 5;
  links.levels[1].from = Level::cluster;
  ModelTable models;
  models.models["resnet50"] = {.cls = "A", .iteration_s = 0.1754, .gradient_bytes = 102e6, .source = ""};
  models.models["dcgan"] = {.cls = "A", .iteration_s = 0.05, .gradient_bytes = 0, .source = ""};
  const std::string text = figures_text(penalty_table(links, models, 8, 0));
  EXPECT_TRUE(has(text, "1.0730")) << text;
  EXPECT_FALSE(has(text, "dcgan"));
  const std::string levels = figures_text(link_table(links));
  EXPECT_TRUE(has(levels, "no: as cluster")) << levels;
  EXPECT_TRUE(has(levels, "130.00")) << levels;
}

}  // namespace
}  // namespace palstudy
