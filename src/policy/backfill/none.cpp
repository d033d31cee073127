// SPDX-License-Identifier: MIT
#include "policy/backfill_policy.hpp"

namespace palstudy {
namespace {

class NoBackfill final : public BackfillPolicy {
 public:
  [[nodiscard]] bool tries_others() const override { return false; }
  [[nodiscard]] bool reserves() const override { return false; }
};

}  // namespace

void register_backfill_none(BackfillRegistry& registry) {
  registry.add({"none", "a job that does not fit holds up those behind it", {}, [](const ParamValues&) {
                  return std::make_unique<NoBackfill>();
                }});
}

}  // namespace palstudy
