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

/// Arithmetic mean of the ended jobs with the job's name, or else with the two known names that are most like it
/// (Helios, SC'21, artifact: its rolling estimator, without the model that the artifact adds from a file):
/// 1. no such name: the mean of the user's jobs, or of all jobs where the user has none;
/// 2. the user's jobs with such a name and the job's number of GPUs, or of any number where there is none, in whole
///    GPU-seconds; the jobs of all users with such a name where the user has none.
class Rolling final : public Predictor {
 public:
  explicit Rolling(const Workload& workload) : workload_(workload) {}

  [[nodiscard]] bool learns() const override { return true; }

  [[nodiscard]] double gpu_s(const Job& job) const override {
    if (all_.jobs == 0) return gpu_time(before_anything_s, job);
    return std::max(predicted(job), static_cast<double>(job.gpus));
  }

  void learn(const Job& job, double seconds) override {
    if (find(of_name(job.name)) == nullptr) {
      known_.push_back(job.name);
      known_names_.push_back(name_of(job.name));
    }
    all_.add(seconds);
    for (const auto& key :
         {of_name(job.name), of_user(job.user), of_both(job.user, job.name), of_size(job, job.name)}) {
      means_[key].add(seconds);
    }
  }

 private:
  struct Mean {
    double sum = 0, jobs = 0;
    void add(double seconds) { sum += seconds, ++jobs; }
    void add(const Mean* other) {
      if (other != nullptr) sum += other->sum, jobs += other->jobs;
    }
    [[nodiscard]] double value() const { return sum / jobs; }
  };
  using Key = std::array<std::uint32_t, 4>;  // the last number says what the others are
  enum class Group : std::uint32_t { name, user, both, size };
  static std::uint32_t number(Group group) { return static_cast<std::uint32_t>(group); }
  static Key of_name(std::uint32_t name) { return {name, 0, 0, number(Group::name)}; }
  static Key of_user(std::uint32_t user) { return {user, 0, 0, number(Group::user)}; }
  static Key of_both(std::uint32_t user, std::uint32_t name) { return {user, name, 0, number(Group::both)}; }
  static Key of_size(const Job& job, std::uint32_t name) { return {job.user, name, job.gpus, number(Group::size)}; }

  /// Null where there is nothing.
  [[nodiscard]] const Mean* find(const Key& key) const {
    const auto found = means_.find(key);
    return found == means_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::string name_of(std::uint32_t name) const {
    return name < workload_.names.size() ? workload_.names[name] : std::string();
  }
  [[nodiscard]] std::vector<std::uint32_t> like(std::uint32_t name) const {
    if (find(of_name(name)) != nullptr) return {name};
    std::vector<std::uint32_t> names;
    for (const std::uint32_t i : close_names(name_of(name), known_names_)) names.push_back(known_[i]);
    return names;
  }
  template <class KeyOf>
  [[nodiscard]] Mean mean(const std::vector<std::uint32_t>& names, KeyOf key) const {
    Mean sum;
    for (const std::uint32_t like : names) sum.add(find(key(like)));
    return sum;
  }

  [[nodiscard]] double predicted(const Job& job) const {
    const std::vector<std::uint32_t> names = like(job.name);
    if (names.empty()) {
      const Mean* own = find(of_user(job.user));
      return (own == nullptr ? all_ : *own).value() * job.gpus;
    }
    const Mean same = mean(names, [&](std::uint32_t like) { return of_size(job, like); });
    const Mean own = mean(names, [&](std::uint32_t like) { return of_both(job.user, like); });
    if (own.jobs == 0) return mean(names, of_name).value() * job.gpus;
    return std::trunc((same.jobs > 0 ? same : own).value() * job.gpus);
  }

  const Workload& workload_;
  Mean all_;
  std::map<Key, Mean> means_;
  std::vector<std::uint32_t> known_;      // names of ended jobs
  std::vector<std::string> known_names_;  // the same, spelled
};

}  // namespace

void register_predictor_rolling(PredictorRegistry& registry) {
  registry.add(
      {"rolling",
       "Helios' rolling estimator: the mean of the user's ended jobs of the same name and size, or of the names "
       "most like it.",
       {},
       {[](const PredictorContext& context, const ParamValues&) {
         return std::make_unique<Rolling>(context.workload);
       }}});
}

}  // namespace palstudy
