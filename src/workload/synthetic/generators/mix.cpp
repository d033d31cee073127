// SPDX-License-Identifier: MIT
// Jobs of named models in stated shares of the load, for questions about kinds of jobs: how they arrive and how long
// they run is kept as simple as can be (Poisson, lognormal).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "workload/model_table.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/job_fields.hpp"

namespace palstudy {
namespace {

constexpr auto mix_key = "workload.mix";

/// One entry of workload.mix.
struct Part {
  std::string model;
  Job like;  ///< its work and arrival are each job's own
  double share = 0;
  double jobs_per_s = 0;
};

std::vector<std::string> words_of(const std::string& text, char separator) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == separator) {
      words.emplace_back();
    } else if (c != ' ' || separator == ' ') {
      words.back() += c;
    } else if (!words.back().empty() && words.back().back() != ' ') {
      words.back() += c;
    }
  }
  std::erase(words, "");
  return words;
}

[[noreturn]] void refuse(const std::string& what) {
  throw usage_error(what, mix_key, "write it as \"megatron-7.5B 2, resnet50:4 1\": model, GPUs if not its own, share");
}

/// "resnet50:4 1": a model, how many GPUs if the table does not say or others are wanted, and its share of the load.
Part parse_part(const std::string& text, const ModelTable& table) {
  const auto words = words_of(text, ' ');
  if (words.size() != 2) refuse(fmt::format("\"{}\" is not a model and a share", text));
  const auto name = words_of(words[0], ':');
  const auto share = parse_double(words[1]);
  if (name.empty() || name.size() > 2) refuse(fmt::format("\"{}\" is not a model, or MODEL:GPUS", words[0]));
  if (!share || !(*share > 0 && *share <= 1e9)) {
    refuse(fmt::format("\"{}\" is not a model and a share over 0", text));
  }
  const auto found = table.models.find(name[0]);
  if (found == table.models.end()) {
    std::vector<std::string> known;
    for (const auto& [model, info] : table.models) known.push_back(model);
    refuse(fmt::format("unknown model \"{}\"{}", name[0], suggestion(name[0], known)));
  }
  Part part;
  part.model = name[0];
  part.share = *share;
  const bool own = name.size() == 1;  // the table says 0 where it does not know, which is one GPU then
  const auto gpus = own ? std::optional<long long>(std::max(1U, found->second.gpus)) : parse_integer(name[1]);
  if (!gpus || *gpus < 1 || *gpus > most_job_gpus) refuse(fmt::format("\"{}\" is not a number of GPUs", name.back()));
  part.like.gpus = static_cast<std::uint32_t>(*gpus);
  part.like.iteration_s = found->second.iteration_s;
  return part;
}

class Mix {
 public:
  Mix(const GeneratorContext& context, const ParamValues& params)
      : context_(context), median_s_(3600 * params.number("median_h")), sigma_(params.number("sigma")) {
    for (const auto& text : words_of(params.text("mix"), ',')) add_part(parse_part(text, *context.models));
    if (parts_.empty()) refuse("it is empty");
    double shares = 0;
    for (const Part& part : parts_) shares += part.share;
    const double load_gpus = params.number("rho") * context.cluster_gpus;
    for (Part& part : parts_) {
      part.jobs_per_s = load_gpus * part.share / shares / (part.like.gpus * mean_s());
      jobs_per_s_ += part.jobs_per_s;
    }
    out_.tenants = {""};
  }

  Workload generate(double end_s) {
    if (end_s > 0) return up_to(end_s);
    const auto wanted = std::max<std::size_t>(context_.jobs, 1);
    double until_s = std::max(context_.until_s, 2 * static_cast<double>(wanted) / jobs_per_s_);
    while (up_to(until_s).jobs.size() < wanted) until_s *= 2;
    return up_to(until_s);
  }

 private:
  [[nodiscard]] double mean_s() const { return median_s_ * std::exp(sigma_ * sigma_ / 2); }

  void add_part(Part part) {
    const ModelInfo& info = context_.models->models.at(part.model);
    part.like.model = static_cast<std::uint16_t>(out_.models.size());
    out_.models.push_back(part.model);
    out_.model_use.push_back({info.gpu_util, info.mem_bw_util, info.skew});
    const auto place = std::ranges::find(out_.classes, info.cls);
    part.like.cls = ClassId(static_cast<std::size_t>(place - out_.classes.begin()));
    if (place == out_.classes.end()) out_.classes.push_back(info.cls);
    parts_.push_back(std::move(part));
  }

  /// Each part's jobs are a stream of their own: neither the others nor a later end change them.
  Workload up_to(double end_s) {
    out_.jobs.clear();
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      double at_s = 0;
      for (std::uint64_t i = 0;; ++i) {
        const std::uint64_t entity = (static_cast<std::uint64_t>(p) << 40) + i;
        at_s -=
            std::log(RandomStream(context_.seed, Purpose::arrival, entity).uniform_positive()) / parts_[p].jobs_per_s;
        if (!(at_s <= end_s)) break;
        if (out_.jobs.size() == most_generated_jobs) {
          throw TooManyJobs(fmt::format("more than {} jobs", most_generated_jobs), "workload.end_s",
                            "let them end earlier");
        }
        out_.jobs.push_back(job(parts_[p], entity, at_s));
      }
    }
    std::ranges::stable_sort(out_.jobs, [](const Job& a, const Job& b) { return a.submit_s < b.submit_s; });
    for (std::size_t j = 0; j < out_.jobs.size(); ++j) out_.jobs[j].id = static_cast<std::int64_t>(j);
    return out_;
  }

  [[nodiscard]] Job job(const Part& part, std::uint64_t entity, double at_s) const {
    RandomStream random(context_.seed, Purpose::job_duration, entity);
    Job made = part.like;
    made.submit_s = at_s;
    made.iterations = median_s_ * std::exp(sigma_ * random.normal()) / made.iteration_s;
    return made;
  }

  const GeneratorContext& context_;
  double median_s_, sigma_;
  std::vector<Part> parts_;
  double jobs_per_s_ = 0;
  Workload out_;
};

Workload generate_mix(const GeneratorContext& context, const ParamValues& params) {
  if (context.models == nullptr || context.models->models.empty()) throw fault("mix is given no models");
  Workload out = Mix(context, params).generate(params.number("end_s"));
  if (out.jobs.empty()) throw usage_error("no job arrives", "workload.end_s", "let jobs arrive for longer");
  return out;
}

}  // namespace

void register_generator_mix(GeneratorRegistry& registry) {
  registry.add(
      {"mix",
       "Jobs of the models that workload.mix names, in its shares of the load: Poisson arrivals, lognormal run "
       "times, GPUs as the table of models says.",
       {{"rho", ParamType::number, "1",
         "Nominal load: GPU-seconds of jobs that arrive in a second, at slowdown 1 and penalty 1, over the GPUs.", "",
         1e-3, 100},
        {"end_s", ParamType::number, "s",
         "Jobs arrive up to here; 0: for twice as long as the measured ones take to arrive.", "0", 0, 1e9},
        {"mix", ParamType::text, "", "Models and shares of the load: \"megatron-7.5B 2, resnet50:4 1\".", ""},
        {"median_h", ParamType::number, "h", "Median run time.", "2", 1e-4, 1e5},
        {"sigma", ParamType::number, "", "Standard deviation of the logarithm of run times.", "1", 0, 4}},
       generate_mix});
}

}  // namespace palstudy
