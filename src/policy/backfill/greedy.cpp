// SPDX-License-Identifier: MIT
#include "policy/backfill_policy.hpp"

namespace palstudy {
namespace {

class GreedyBackfill final : public BackfillPolicy {
 public:
  [[nodiscard]] bool reserves() const override { return false; }
};

}  // namespace

void register_backfill_greedy(BackfillRegistry& registry) {
  registry.add({"greedy", "every job that fits starts, however long a job before it waits", {}, [](const ParamValues&) {
                  return std::make_unique<GreedyBackfill>();
                }});
}

}  // namespace palstudy
