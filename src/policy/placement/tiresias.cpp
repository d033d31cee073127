// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "policy/fewest_nodes.hpp"
#include "policy/placement/packed.hpp"

namespace palstudy {
namespace {

/// Takes the first free GPUs by id. There must be enough.
void choose_first(std::uint32_t gpus, const FreeGpus& free, GpuSet& out) {
  for (std::uint32_t n = 0; gpus > 0; ++n) {
    const GpuMask all = free.mask(NodeId(n));
    const std::uint32_t taken = std::min(gpus, static_cast<std::uint32_t>(std::popcount(all)));
    if (taken > 0) out.push_back({NodeId(n), lowest(all, taken)});
    gpus -= taken;
  }
}

/// Tiresias' placement by skew (NSDI'19, section 4.3, as a rule for known models): jobs whose model has one large
/// tensor suffer from the network and are consolidated on the fewest nodes, or wait; all others take any free GPUs.
class Tiresias final : public PlacementPolicy {
 public:
  Tiresias(const Workload* workload, double skew) : workload_(workload), skew_(skew) {}
  [[nodiscard]] bool sticky() const override { return true; }
  [[nodiscard]] bool may_refuse() const override { return true; }
  [[nodiscard]] IndexNeeds needs() const override { return {.counts = true}; }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    if (free.total() < request.gpus) return false;
    if (!consolidates(request)) {
      choose_first(request.gpus, free, out);
      return true;
    }
    if (!choose_packed(request.gpus, free, out)) return false;
    if (out.size() <= fewest_nodes(free.topology(), request.gpus)) return true;
    out.clear();
    return false;
  }

 private:
  /// Not of a part of a job, which must get its GPUs.
  [[nodiscard]] bool consolidates(const Request& request) const {
    if (workload_ == nullptr) return false;
    const Job& job = workload_->jobs[request.job.index()];
    return job.gpus == request.gpus && job.model < workload_->model_use.size() &&
           workload_->model_use[job.model].skew > skew_;
  }

  const Workload* workload_;
  double skew_;
};

}  // namespace

void register_placement_tiresias(PlacementRegistry& registry) {
  registry.add(
      {"tiresias",
       "Running jobs stay; new ones of models with a large tensor go to the fewest nodes or wait, others to the "
       "first free GPUs.",
       {{"skew", ParamType::number, "",
         "A model has a large tensor if that is over this share of its parameters (skew in jobs/models.toml).", "0.3",
         0, 1}},
       [](const PlacementContext& context, const ParamValues& params) {
         return std::make_unique<Tiresias>(context.workload, params.number("skew"));
       }});
}

}  // namespace palstudy
