// SPDX-License-Identifier: MIT
#include "words/looks_text.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "core/text.hpp"
#include "words/comparison_words.hpp"

namespace palstudy {
namespace {

const char* what_it_did(NoClaim why) {
  return std::array{"ended", "failed", "left jobs unfinished", "was unstable"}[static_cast<std::size_t>(why)];
}

}  // namespace

std::string finding_text(const LookFinding& found) {
  const std::string who = found.policy + " over " + found.baseline;
  switch (found.what) {
    case LookResult::none:
      break;
    case LookResult::no_claim:
      return fmt::format("run {} {} and makes no claim{}", found.run, what_it_did(found.no_claim),
                         found.more > 0 ? fmt::format(", like {} more", found.more) : "");
    case LookResult::no_ratio:
      return fmt::format("{}: run {} cannot be compared", who, found.run);
    case LookResult::no_interval:
      return fmt::format("{} has no interval: {}", who, no_interval_text(found.no_interval, std::nullopt));
    case LookResult::interval:
      return fmt::format("{} is known to within {:.2g} %", who, 100 * found.half_width);
  }
  return "";
}

std::string looks_text(const LooksTaken& looks) {
  std::vector<std::string> seeds;
  for (const std::size_t at : looks.seeds) seeds.push_back(std::to_string(at));
  return fmt::format("[stop] looked at {} seeds (at most {}), until {} is known to within {:.3g} %: {}; {}",
                     join(seeds), looks.most_seeds, looks.metric, 100 * looks.relative_half_width,
                     looks.narrow ? "narrow enough" : "not narrow enough at the last look", finding_text(looks.why));
}

}  // namespace palstudy
