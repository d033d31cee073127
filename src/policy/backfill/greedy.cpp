// SPDX-License-Identifier: MIT
#include "policy/backfill_policy.hpp"

namespace palstudy {
namespace {

class Unreserved final : public BackfillPolicy {
 public:
  explicit Unreserved(bool tries_others) : tries_others_(tries_others) {}
  [[nodiscard]] bool tries_others() const override { return tries_others_; }
  [[nodiscard]] bool reserves() const override { return false; }

 private:
  bool tries_others_;
};

}  // namespace

void register_backfill_greedy(BackfillRegistry& registry) {
  registry.add({"greedy", "every job that fits starts, however long a job before it waits", {}, [](const ParamValues&) {
                  return std::make_unique<Unreserved>(true);
                }});
  registry.add({"none", "a job that does not fit holds up those behind it", {}, [](const ParamValues&) {
                  return std::make_unique<Unreserved>(false);
                }});
}

}  // namespace palstudy
