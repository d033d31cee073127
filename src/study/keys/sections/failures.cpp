// SPDX-License-Identifier: MIT
// [failures]: attempts that fail. Only the model means anything without a model, and no key has a constant default, so
// that runs without failures keep the ids from before there were any.
#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

constexpr KeyName<std::string> faults{"failures.faults"};
constexpr KeyName<bool> slow{"failures.slow"};

bool has_model(const KeyValues& values) {
  return keys::failure_model.given_in(values) && keys::failure_model.in(values) != "none";
}
bool failing(const RunPlan& run) { return !run.failures.model.empty(); }

Key with_model(const Key& key) { return key.used_where(failing, "no run has a failures.model"); }

/// A key with this default, as TOML, in runs with a model.
Key with_model(const Key& key, const std::string& value) {
  std::string words = value;
  std::erase(words, '"');
  return with_model(key).otherwise(words + ", where failures.model is given", [value](const KeyValues& values) {
    return has_model(values) ? parse_toml_value(value, "") : std::nullopt;
  });
}

template <class Member>
Key option(const Key& key, const std::string& value, Member member) {
  return with_model(key, value).sets(&RunPlan::failures, &FailureKeys::options, member);
}

void complete_failures(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
  if (!has_model(values)) {
    std::erase_if(values, [](const auto& entry) { return entry.first.starts_with("failures."); });
    return;
  }
  if (slow.in(values) && faults.in(values) == "job") {
    throw usage_error("failures.slow is about nodes and GPUs, and failures.faults is \"job\"", slow.at(values).where,
                      "give failures.faults = \"node\" or \"gpu\"");
  }
}

}  // namespace

void register_key_section_failures(KeySections& sections) {
  using Options = FailureOptions;
  sections.push_back(
      {{Key::text(KeyType::text, keys::failure_model, "", "\"none\": no attempt fails",
                  "Why and when attempts fail: \"philly\", \"none\", or a path that ends in .csv.")
            .sets(&RunPlan::failures, &FailureKeys::model)
            .is(&Key::names_file),
        option(Key::integer("failures.retries", "", "", "How often a failed job is tried again.", 0, 1000), "3",
               &Options::retries),
        option(Key::number("failures.repeat", "1", "", "Probability that a deterministic reason fails again.")
                   .between(0, 1),
               "0.9", &Options::repeat),
        option(Key::number("failures.checkpoint_s", "s", "",
                           "Run time between two checkpoints of a job, whose later work a failure undoes; 0: it undoes "
                           "nothing; inf: all, the job begins again.")
                   .is(&Key::infinite),
               "1800", &Options::checkpoint_s),
        option(Key::number("failures.scale", "1", "", "Factor on the shares of attempts that fail; 0: none does.")
                   .between(0, 100),
               "1", &Options::scale),
        option(Key::number("failures.validate_s", "s", "",
                           "Length of a test run on one spare GPU before each attempt; 0: none.")
                   .between(0, Key::max_seconds),
               "0", &Options::validate_s),
        with_model(Key::choice(faults, "",
                               "What infrastructure reasons belong to: nodes or GPUs of which some are prone to "
                               "faults."),
                   "\"job\"")
            .sets_word({{"job", Faults::job}, {"node", Faults::node}, {"gpu", Faults::gpu}}, &RunPlan::failures,
                       &FailureKeys::faults),
        with_model(Key::boolean(slow, "", "Slow nodes or GPUs have more faults."), "false")
            .sets(&RunPlan::failures, &FailureKeys::slow),
        option(Key::boolean("failures.adaptive_retry", "", "Do not try again what failed by a deterministic reason."),
               "false", &Options::adaptive_retry),
        option(Key::number("failures.kill_exponent", "1", "",
                           "Exponent by which long jobs are killed more often than short ones of their size; 0: "
                           "equally often.")
                   .between(0, 10),
               "0", &Options::kill_exponent),
        with_model(Key::choice("failures.kills", "",
                               "Killed jobs end with their work, as the durations of traces tell it, or somewhere "
                               "within it, drawn uniformly."),
                   "\"end\"")
            .sets_word({{"end", false}, {"within", true}}, &RunPlan::failures, &FailureKeys::options,
                       &Options::kills_within),
        with_model(Key::choice("failures.late", "",
                               "An attempt that would fail after more run time than its work takes fails at its end, "
                               "or passes."),
                   "\"fails\"")
            .sets_word({{"fails", true}, {"passes", false}}, &RunPlan::failures, &FailureKeys::options,
                       &Options::late_fails),
        with_model(Key::integer("failures.seed", "", "", "Seed of the failures.", 0, Key::max_integer))
            .otherwise("seed, where failures.model is given",
                       [](const KeyValues& values) {
                         return has_model(values) ? std::optional(keys::seed.at(values)) : std::nullopt;
                       })
            .with(&Key::follows, {keys::seed})
            .is(&Key::independent)
            .sets(&RunPlan::failures, &FailureKeys::options, &Options::seed)},
       complete_failures});
}

}  // namespace palstudy
