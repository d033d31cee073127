// SPDX-License-Identifier: MIT
// The plan that `merge` writes for the slices that come after it: `next-look.json` beside the shards.
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "study/campaign_info.hpp"
#include "study/looks.hpp"

namespace palstudy {
namespace {

constexpr auto plan_file = "next-look.json", plan_format = "palstudy-next-look-1";

}  // namespace

std::size_t planned_look(const Study& study, const std::filesystem::path& parts) {
  const auto path = parts / plan_file;
  if (!std::filesystem::exists(path)) return 0;
  std::ifstream file(path, std::ios::binary);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (!json.is_object() || json.value("format", "") != plan_format) {
    throw data_error("is not what palstudy merge writes", path.string(),
                     "remove this file and go on with palstudy merge, which writes it anew");
  }
  const auto seeds = json.value("seeds", std::size_t{0});
  for (std::size_t i = 0; i < study.stop->looks.size(); ++i) {
    if (study.stop->looks[i].seeds == seeds) return i;
  }
  return 0;  // of other looks: merge finds out anew where this campaign is
}

void write_plan(const Study& study, std::size_t look, const std::filesystem::path& parts) {
  const nlohmann::json json = {{"format", plan_format}, {"seeds", study.stop->looks.at(look).seeds}};
  write_text_file(parts / plan_file, json.dump(2) + "\n");
}

}  // namespace palstudy
