// SPDX-License-Identifier: MIT
#include "study/keys/failure_keys.hpp"

#include <string>

#include "core/error.hpp"
#include "study/keys/key_spec.hpp"

namespace palstudy {
namespace {

using key_spec::boolean;
using key_spec::choice;
using key_spec::integer;
using key_spec::max_integer;
using key_spec::max_seconds;
using key_spec::number;
using key_spec::text;

constexpr double most_scale = 100;
constexpr double most_exponent = 10;
constexpr double most_retries = 1000;

KeySpec with_model(KeySpec spec, const std::string& otherwise) {
  spec.derived = otherwise + ", where failures.model is given";
  return spec;
}

KeySpec at_most(double most, KeySpec spec) {
  spec.most = most;
  return spec;
}

KeySpec checkpoint_key() {
  KeySpec spec = number("failures.checkpoint_s", "s", "",
                        "Run time between two checkpoints of a job, whose later work a failure undoes; 0: it undoes "
                        "nothing; inf: all, the job begins anew.");
  spec.infinite = true;
  return spec;
}

}  // namespace

std::vector<KeySpec> failure_keys() {
  return {
      text(KeyType::text, "failures.model", "", "\"none\": no attempt fails",
           "Why and when attempts fail: \"philly\", \"none\", or a path that ends in .csv."),
      with_model(integer("failures.retries", "", "", "How often a failed job is tried again.", 0, most_retries), "3"),
      with_model(at_most(1, number("failures.repeat", "1", "", "Probability that a deterministic reason fails again.")),
                 "0.9"),
      with_model(checkpoint_key(), "1800"),
      with_model(at_most(most_scale, number("failures.scale", "1", "",
                                            "Factor on the shares of attempts that fail; 0: none does.")),
                 "1"),
      with_model(at_most(max_seconds, number("failures.validate_s", "s", "",
                                             "Run on one GPU beside the cluster before each attempt, which shows "
                                             "failures of some reasons that come sooner; 0: none.")),
                 "0"),
      with_model(choice("failures.faults", "",
                        "What infrastructure reasons belong to: nodes or GPUs of which some are prone to faults.",
                        {"job", "node", "gpu"}),
                 "job"),
      with_model(boolean("failures.slow", "", "Slow nodes or GPUs have more faults."), "false"),
      with_model(boolean("failures.adaptive_retry", "", "Do not try again what failed by a deterministic reason."),
                 "false"),
      with_model(at_most(most_exponent,
                         number("failures.kill_exponent", "1", "",
                                "The share of killed jobs of a size grows as their ideal time to this power, its mean "
                                "over the jobs of the size being that of the model; 0: all are alike.")),
                 "0"),
      with_model(choice("failures.kills", "",
                        "Killed jobs end with their work, as the durations of traces tell it, or somewhere within it, "
                        "drawn uniformly.",
                        {"end", "within"}),
                 "end"),
      with_model(choice("failures.late", "",
                        "An attempt that would fail after more run time than its work takes fails at its end, or "
                        "passes.",
                        {"fails", "passes"}),
                 "fails"),
      with_model(integer("failures.seed", "", "", "Seed of the failures.", 0, max_integer), "seed")};
}

void complete_failures(Point& point) {
  const auto model = point.find("failures.model");
  if (model == point.end() || model->second.text == "none") {
    std::erase_if(point, [](const auto& entry) { return entry.first.starts_with("failures."); });
    return;
  }
  const FailureOptions options;
  point.try_emplace("failures.retries", TomlValue::of(std::int64_t{options.retries}));
  point.try_emplace("failures.repeat", TomlValue::of(options.repeat));
  point.try_emplace("failures.checkpoint_s", TomlValue::of(options.checkpoint_s));
  point.try_emplace("failures.scale", TomlValue::of(options.scale));
  point.try_emplace("failures.validate_s", TomlValue::of(options.validate_s));
  point.try_emplace("failures.kill_exponent", TomlValue::of(options.kill_exponent));
  point.try_emplace("failures.seed", point.at("seed"));
  point.try_emplace("failures.faults", TomlValue::of(std::string("job")));
  point.try_emplace("failures.kills", TomlValue::of(std::string("end")));
  point.try_emplace("failures.late", TomlValue::of(std::string("fails")));
  point.try_emplace("failures.slow", TomlValue::of(false));
  point.try_emplace("failures.adaptive_retry", TomlValue::of(false));
  const auto& slow = point.at("failures.slow");
  if (slow.boolean && point.at("failures.faults").text == "job") {
    throw usage_error("failures.slow is of nodes and GPUs, and failures.faults is \"job\"", slow.where,
                      "give failures.faults = \"node\" or \"gpu\"");
  }
}

FailureKeys failures_of(const Point& point) {
  FailureKeys keys;
  if (!point.contains("failures.model")) return keys;
  const auto real = [&](const char* key) { return point.at(key).as_real(); };
  const std::string& faults = point.at("failures.faults").text;
  keys.model = point.at("failures.model").text;
  keys.faults = faults == "node" ? Faults::node : faults == "gpu" ? Faults::gpu : Faults::job;
  keys.slow = point.at("failures.slow").boolean;
  FailureOptions& options = keys.options;
  options.retries = static_cast<std::uint32_t>(point.at("failures.retries").integer);
  options.repeat = real("failures.repeat");
  options.checkpoint_s = real("failures.checkpoint_s");
  options.scale = real("failures.scale");
  options.validate_s = real("failures.validate_s");
  options.adaptive_retry = point.at("failures.adaptive_retry").boolean;
  options.kill_exponent = real("failures.kill_exponent");
  options.late_fails = point.at("failures.late").text == "fails";
  options.kills_within = point.at("failures.kills").text == "within";
  options.seed = static_cast<std::uint64_t>(point.at("failures.seed").integer);
  return keys;
}

}  // namespace palstudy
