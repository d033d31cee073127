// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "workload/predict/close_names.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy {
namespace {

/// Exponentially weighted mean of the logarithm of the durations of like jobs: of the same user, name prefix and size;
/// else of the same user and size; of the user; of the tenant and size; of the size; of all: the first of these groups
/// in which a job has ended. Users, names and tenants that the trace does not give make no group.
class Ewma final : public Predictor {
 public:
  Ewma(const Workload& workload, double alpha)
      : workload_(workload), alpha_(alpha), prefix_of_(name_prefixes(workload.names)) {}

  [[nodiscard]] bool learns() const override { return true; }

  [[nodiscard]] double gpu_s(const Job& job) const override {
    const Group* known = nullptr;
    for_each_group(job, [&](const Key& key) {
      if (known != nullptr) return;
      if (const auto found = groups_.find(key); found != groups_.end()) known = &found->second;
    });
    return gpu_time(known == nullptr ? before_anything_s : std::exp(known->log_s), job);
  }

  void learn(const Job& job, double seconds) override {
    const double log_s = std::log(std::max(seconds, 1.0));
    for_each_group(job, [&](const Key& key) {
      Group& group = groups_[key];
      group.log_s = group.any ? group.log_s + alpha_ * (log_s - group.log_s) : log_s;
      group.any = true;
    });
  }

 private:
  using Key = std::array<std::uint32_t, 4>;  // the last number says what the others are
  struct Group {
    double log_s = 0;  ///< mean of ln(seconds)
    bool any = false;
  };
  enum Level : std::uint32_t { name, user_size, user, tenant_size, size, all };

  template <class Each>
  void for_each_group(const Job& job, Each each) const {
    const bool has_user = given(workload_.users, job.user);
    if (has_user && given(workload_.names, job.name)) each({job.user, prefix_of_[job.name], job.gpus, Level::name});
    if (has_user) each({job.user, job.gpus, 0, Level::user_size});
    if (has_user) each({job.user, 0, 0, Level::user});
    if (given(workload_.tenants, job.tenant)) each({job.tenant, job.gpus, 0, Level::tenant_size});
    each({job.gpus, 0, 0, Level::size});
    each({0, 0, 0, Level::all});
  }
  static bool given(const std::vector<std::string>& names, std::size_t index) {
    return index < names.size() && !names[index].empty();
  }

  const Workload& workload_;
  double alpha_;
  std::vector<std::uint32_t> prefix_of_;  // by name
  std::map<Key, Group> groups_;
};

}  // namespace

void register_predictor_ewma(PredictorRegistry& registry) {
  registry.add({"ewma",
                "Exponentially weighted mean of the logarithm of the times of ended jobs, of the same user, name and "
                "size where there are any, else of ever larger groups.",
                {{"predictor_alpha", ParamType::number, "", "Weight of the job that ended last; 1 predicts its time.",
                  "0.1", 0.001, 1}},
                {[](const PredictorContext& context, const ParamValues& params) {
                  return std::make_unique<Ewma>(context.workload, params.number("predictor_alpha"));
                }}});
}

}  // namespace palstudy
