// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "words/load_text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

/// " in 3 of 40 runs", and of which policies they are unless all have the same share; "" of all runs.
std::string runs_text(const Note& note) {
  constexpr std::size_t most = 4;
  const ValueList& policies = note["policies"].list();
  const std::size_t found = note["runs"].count(), all = note["of"].count();
  const auto same_share = [&](const Value& one) { return one["runs"].count() * all == found * one["of"].count(); };
  const std::string some = some_of(note["runs"], note["of"], "run");
  if (std::ranges::all_of(policies, same_share)) return some;
  std::vector<std::string> named;
  for (const Value& one : policies) {
    if (one["runs"].count() == 0) continue;
    named.push_back(fmt::format("{} of {}", grouped(one["runs"].count()),
                                policy_text(find(note.values, "key"), one["name"].name())));
  }
  if (named.size() > most) {
    const std::size_t others = named.size() - most;
    named.resize(most);
    named.push_back(fmt::format("and of {} more", others));
  }
  return fmt::format("{} ({})", some, join(named));
}

std::string load_note(const Note& note) {
  const Value* workloads = find(note.values, "workloads");
  if (workloads == nullptr) return overload_text(note, runs_text(note));
  // Known before a run, by the load alone.
  const std::size_t some = workloads->count(), all = note["of"].count();
  const std::string where =
      all == 1 ? ""
               : fmt::format(" in {}{} of {}", some < all ? "at least " : "", grouped(some), counted(all, "workload"));
  return fmt::format("overloaded{}: {}", where, depends_on_the_trace);
}

std::string over_one(const Note& note) {
  return "over 1" + some_of(note["workloads"], note["of"], "workload") +
         ": more work than the GPUs can do, so the queue grows for as long as the measured jobs arrive";
}

std::string waiting(const Note& note) {
  constexpr std::size_t most_named = 4;
  const ValueList& policies = note["policies"].list();
  std::vector<std::string> said;
  for (const Value& one : policies) {
    const char* of = said.empty() ? " of the completion time" : "";
    const std::size_t over_half = one["over_half"].count(), runs = one["runs"].count();
    const std::string some =
        over_half == runs ? "" : fmt::format(" (over half in {} of {})", over_half, counted(runs, "run"));
    said.push_back(fmt::format("{:.0f} %{} under {}{}", 100 * one["share"].number(), of,
                               policy_text(find(note.values, "key"), one["name"].name()), some));
  }
  if (said.size() > most_named) {
    const auto less = [](const Value& a, const Value& b) { return a["share"].number() < b["share"].number(); };
    const auto [least, most] = std::minmax_element(policies.begin(), policies.end(), less);
    said = {fmt::format("{:.0f} to {:.0f} % of the completion time under {} policies", 100 * (*least)["share"].number(),
                        100 * (*most)["share"].number(), policies.size())};
  }
  return fmt::format(
      "waiting is {}, on average over the runs; where it is over half, a gain is mostly one of waits, which depend on "
      "the load, on what queued before and on the length of rounds",
      join(said));
}

std::string no_job_rows_text(const Note& note) {
  if (note["unknown"].name() == "few-jobs") {
    return "whether few jobs rule the means is not known: the archive keeps no rows of jobs (output.jobs = true keeps "
           "them)";
  }
  return "overloaded or not is not known: runs are measured from the first job on, and the archive keeps no rows of "
         "jobs (output.jobs = true)";
}

}  // namespace

void register_note_load(NoteWords& words) {
  const std::string family = "load";
  words.add(family, "overloaded", "Queues grow while the measured jobs arrive.", load_note,
            "Jobs arrive faster than they are served, from an empty cluster on. Waits then grow with every job, and "
            "so does the gain. A longer trace would give another gain. If the load is below 1, jobs queue behind one "
            "that does not fit, and backfill helps. For a steady state, lower the load and measure after a warm-up.");
  words.add(family, "over-one", "More work arrives than the GPUs can do.", over_one,
            "The measured jobs bring more GPU time than the machine has while they arrive. No scheduler can keep up, "
            "so the queue grows for as long as they come. Most runs will be unstable and make no claim. Lower "
            "`workload.rho`, add GPUs, or measure a quieter part of the trace. Outages make it worse, because the "
            "load does not count them.");
  words.add(family, "backlog", "Queues shrink while the measured jobs arrive: earlier jobs still wait.", load_note,
            "The queue is long when measuring begins, and shrinks while measured jobs arrive. These jobs wait for "
            "older jobs that the load does not count. So waits are longer than the load suggests, and depend on what "
            "came before. Measure later, with a longer `measure.warmup_s`, or quote the gain as one after a backlog.");
  words.add(family, "waiting", "Most of the completion time is waiting.", waiting,
            "Most of the completion time is waiting, not running. A gain is then mostly a gain in waits. Waits depend "
            "on the load, on jobs that came before, and on the length of rounds. Shorter runs can shorten a full "
            "queue a lot. `--metric causes` shows what running and waiting contribute. Quote the load with the gain.");
  words.add(family, "no-job-rows", "The archive keeps no rows of jobs, so something cannot be checked.",
            no_job_rows_text,
            "This archive keeps the metrics of runs but no rows of jobs. So some checks are impossible: whether "
            "queues grow, and whether a few jobs decide the mean. The gain may still be right, but nobody has looked. "
            "Run the study again with `output.jobs = true`, at least for a few seeds, and compare that archive.");
}

}  // namespace palstudy
