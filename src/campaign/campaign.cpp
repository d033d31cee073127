// SPDX-License-Identifier: MIT
#include "campaign/campaign.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "campaign/batch_job_file.hpp"
#include "campaign/campaign_info.hpp"
#include "campaign/check_resume.hpp"
#include "campaign/completed_runs.hpp"
#include "campaign/cost.hpp"
#include "campaign/interim_analysis.hpp"
#include "campaign/merge.hpp"
#include "campaign/run_checkpoints.hpp"
#include "campaign/worker.hpp"
#include "core/files.hpp"
#include "core/host.hpp"
#include "core/text.hpp"
#include "core/wrapped_text.hpp"
#include "inputs/inputs.hpp"
#include "inputs/shared_inputs.hpp"
#include "parallel/agree.hpp"
#include "parallel/slurm_job.hpp"
#include "shard/campaign_lock.hpp"
#include "shard/checkpoint_file.hpp"
#include "shard/input_sums.hpp"
#include "shard/parts_folder.hpp"
#include "shard/run_frame.hpp"
#include "shard/shard_index.hpp"
#include "study/axes.hpp"
#include "study/bundle_manifest.hpp"
#include "study/keys/key_names.hpp"
#include "words/looks_text.hpp"
#include "words/measured_text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

// One campaign, step by step; every step is collective. (More than 15 members: what the steps hand on.)
class Campaign {
 public:
  Campaign(const Study& study, const CampaignOptions& options, Mpi& mpi)
      : study_(study),
        options_(options),
        mpi_(mpi),
        parts_(parts_dir(options.output)),
        inputs_(study),
        shards_(study, parts_) {}

  int run() {
    // A refusal must leave nothing behind, so all that can be refused is looked at before anything is written.
    check_while_others_load();
    if (nothing_missing()) return 0;
    const auto tidy = [this] { remove_if_empty(); };
    on_rank_0(mpi_, [&] {
      open_output(
          options_.output, [this] { open(); }, tidy);
    });
    if (nothing_missing()) return 0;
    work_or_tidy(
        mpi_, [this] { work(); }, tidy);
    return 0;
  }

 private:
  void check() {
    require_folder(parts_);
    // A campaign at work is reported before advice about its shards.
    if (!options_.resume && !options_.slice && !shard_files(parts_).empty()) {
      CampaignLock::begin(parts_, std::chrono::milliseconds(0)).remove_file();
    }
    check_output(study_, options_);
    (void)inputs_.check();
    check_bundled_inputs(study_, inputs_.sha256());
    if (mpi_.ranks() % options_.team != 0) note_on_teams();
    look_for_archive();
    // Only a campaign without slices removes what lies beside an archive.
    if (existing_) seen_whole_ = check_existing_archive(*existing_);
    archived_ = existing_ && existing_->is_whole() && (options_.slice || !std::filesystem::exists(parts_)) ? 1 : 0;
    if (archived_ != 0) return;
    needs_ = cost_by_formula(study_, inputs_);
    const auto most = static_cast<std::int64_t>(study_.runs.size()) * options_.team;  // that can have work at once
    check_memory(study_.file.string(), needs_, static_cast<int>(std::min<std::int64_t>(ranks_here_, most)),
                 options_.available_mib ? options_.available_mib : available_mib_);
    check_same_campaign(study_, inputs_.sha256(), parts_, options_.force);
    shards_.require(inputs_.sha256());
    check_disk_space(options_.output, share_to_do(shards_.read(existing_)) * needs_.shards_mib);
    provenance_ = make_provenance(study_, inputs_, options_.command_line, mpi_.ranks());
  }

  // The share of the runs that certainly have to be done, at the first look and by this slice.
  [[nodiscard]] double share_to_do(const CompletedRuns& completed) const {
    const auto todo = runs_to_do(study_, options_, completed);
    const auto surely = std::ranges::count_if(todo, [&](std::size_t run) { return run < runs_at(study_, 0); });
    return static_cast<double>(surely) / static_cast<double>(study_.runs.size());
  }

  void look_for_archive() {
    existing_.reset();
    if (options_.resume) existing_ = find_existing_archive(study_, options_.output, inputs_.sha256());
  }

  void note_on_teams() {
    spdlog::warn("--team {}, but {} ranks: {}", options_.team, mpi_.ranks(),
                 mpi_.ranks() < options_.team
                     ? "they are one team"
                     : fmt::format("the last team has {} of them only", mpi_.ranks() % options_.team));
  }

  void work() {
    const LoopResult end = simulate();
    if (options_.explain_comm) explain_comm(mpi_, end.exchanged);
    on_rank_0(mpi_, [&] { finish(end); });
    failed_ = mpi_.max(failed_);
    if (end.stopped) throw_stopped(end);
    require_no_failed(options_.output, failed_, static_cast<std::int64_t>(study_.runs.size()));
  }

  // Rank 0 checks, the others meanwhile make the inputs of runs that they are likely to get.
  void check_while_others_load() {
    std::optional<Failure> failure;
    if (mpi_.rank() == 0) failure = failure_of([&] { check(); });
    const int team = mpi_.rank() / options_.team, teams = (mpi_.ranks() + options_.team - 1) / options_.team;
    InputPrefetch ahead(study_, inputs_, static_cast<std::size_t>(team), static_cast<std::size_t>(teams));
    mpi_.barrier([&] {
      if (mpi_.rank() != 0) ahead.load_some();
    });
    agree(mpi_, failure);
  }

  void open() {
    take_lock();
    // The previous holder of the lock may have finished runs, or the campaign.
    check_output(study_, options_);
    check_same_campaign(study_, inputs_.sha256(), parts_, options_.force);
    look_for_archive();
    completed_ = shards_.read(existing_);
    if (existing_ && existing_->is_whole()) return only_tidy();
    if (existing_) note_on_archive();
    remove_old_checkpoints();
    const bool replaces = options_.resume ? replaces_archive(parts_) : std::filesystem::exists(options_.output);
    save_campaign(parts_, study_, provenance_, replaces);
    for (const auto& line : {measured_line(inputs_.measured()), load_line(inputs_.measured())}) {
      log_wrapped(line);
    }
    if (const std::string ids = ids_text(inputs_.notes()); !ids.empty()) spdlog::info("notes: {}", ids);
  }

  // The archive is there: a campaign was killed while it cleaned up, or ended while this one waited for the lock.
  void only_tidy() {
    archived_ = 1;
    if (options_.slice) {
      slice_lock_->remove_file();
    } else {
      remove_shards(parts_);
    }
    lock_->remove_file();
  }

  void note_on_archive() {
    spdlog::info("{} holds {} of {}", options_.output.string(), existing_->done.size(),
                 counted(study_.runs.size(), "run"));
    provenance_.command_line =
        ArchiveReader(existing_->file).attribute("command_line") + "\n" + provenance_.command_line;
  }

  // Those of runs that have ended, where a campaign died between the shard and the checkpoint; all of them without
  // --resume.
  void remove_old_checkpoints() {
    for (const auto& [run, file] : own_checkpoints(study_, options_.slice, parts_)) {
      if (!options_.resume || completed_.done.contains(run->number)) remove_checkpoint(parts_, run->id);
    }
  }

  // So that a job that is queued again and again ends well.
  bool nothing_missing() {
    archived_ = mpi_.max(archived_);
    if (archived_ == 0) return false;
    if (mpi_.rank() == 0) {
      const bool changed = ArchiveReader(options_.output).resolved_study() != study_.resolved;
      spdlog::info("{} holds all that the study has, {}; nothing was missing{}{}", options_.output.string(),
                   counted(study_.runs.size(), "run"),
                   changed ? ", and it keeps its own names, [compare] and [stop] where the study's have changed" : "",
                   seen_whole_ ? "" : " (it is large: palstudy verify reads all of it)");
    }
    return true;
  }

  // Slices run side by side: each has a lock of its own and shares that of the folder.
  void take_lock() {
    if (!options_.slice) {
      lock_.emplace(CampaignLock::begin(parts_));
      return;
    }
    lock_.emplace(CampaignLock::share(parts_));
    slice_lock_.emplace(CampaignLock::begin(parts_ / slice_name()));
  }

  LoopResult simulate() {
    on_all_ranks(mpi_, [&] {
      if (lock_) return;
      lock_.emplace(CampaignLock::join(parts_, options_.slice ? Holders::slices : Holders::campaign));
      if (options_.slice) slice_lock_.emplace(CampaignLock::join(parts_ / slice_name()));
    });
    // What rank 0 found in the shards has to be the others' too.
    std::vector<std::size_t> found;
    if (mpi_.rank() == 0) found = most_expensive_first(needs_, runs_to_do(study_, options_, completed_));
    const std::vector<std::size_t> todo = mpi_.broadcast(found);
    start_ = fmt::format("{}-{}", utc_now(), getpid());
    std::erase(start_, ':');
    if (options_.slice) start_ += fmt::format("-{}", slice_name());
    const BatchJob job = this_batch_job(mpi_);
    on_rank_0(mpi_, [&] { batch_job_.emplace(parts_, start_, job); });
    share_inputs();
    const auto limit_s = options_.time_limit_s ? options_.time_limit_s : time_limit_of_job(mpi_);
    return run_looks(todo, mpi_.broadcast(start_), limit_s);
  }

  // Of the files that a study names only rank 0 has the digests of all; every rank writes them into what it keeps.
  void share_inputs() {
    ByteWriter out;
    if (mpi_.rank() == 0) put(out, inputs_.sha256());
    const std::vector<std::byte> bytes = mpi_.broadcast(out.take());
    ByteReader in(bytes);
    files_ = take_inputs(in);
  }

  // One look after the other; without [stop] there is one, at all runs. Slices leave the looks to merge.
  LoopResult run_looks(const std::vector<std::size_t>& all, const std::string& start, std::optional<double> limit_s) {
    LoopResult total;
    for (std::size_t before = 0, to = 0, round = 1;; before = to, ++round) {
      on_rank_0(mpi_, [&] { to = runs_of_look(); });
      mpi_.broadcast(std::span(&to, 1));
      if (to <= before) return total;
      std::vector<std::size_t> todo;
      std::copy_if(all.begin(), all.end(), std::back_inserter(todo),
                   [&](std::size_t run) { return run >= before && run < to; });
      const std::string shards = round == 1 ? start : fmt::format("{}-{}", start, round);
      std::optional<double> left_s;
      if (limit_s) left_s = *limit_s - 1e-6 * static_cast<double>(mpi_.max(std::llround(1e6 * total.elapsed_s)));
      if (left_s && *left_s <= 0 && !todo.empty()) {
        total.stopped = true;
        return total;
      }
      total += run_all({study_, todo, likely_us(todo), parts_, shards, files_, signals_, left_s, options_.team},
                       inputs_, mpi_);
      if (total.stopped || !study_.stop || options_.slice) return total;
    }
  }

  // The probable microseconds of each run, from rank 0.
  [[nodiscard]] std::vector<std::size_t> likely_us(const std::vector<std::size_t>& todo) {
    std::vector<std::size_t> all;
    if (mpi_.rank() == 0) {
      for (const std::size_t run : todo) {
        all.push_back(static_cast<std::size_t>(std::clamp(1e6 * needs_.runs[run].core_s, 1.0, 1e12)));
      }
    }
    return mpi_.broadcast(all);
  }

  // On rank 0: up to which run the look goes that is to be worked on, as what lies in the shards says.
  [[nodiscard]] std::size_t runs_of_look() const {
    if (!study_.stop) return study_.runs.size();
    if (options_.slice) {
      const std::size_t look = planned_look(study_, parts_);
      spdlog::info("{}", name_of_look(study_, look));
      return runs_at(study_, look);
    }
    const LookState state = look_at(study_, outcomes_of(study_, parts_, existing_));
    log_wrapped(finding_text(state.why));
    if (!state.ends) spdlog::info("{}", name_of_look(study_, state.look));
    return runs_at(study_, state.look);
  }

  void finish(const LoopResult& end) {
    batch_job_->end();
    if (!end.stopped)
      spdlog::info("{} in {:.3g} s, {} failed", counted(end.done + end.failed, "run"), end.elapsed_s, end.failed);
    const CompletedRuns completed = shards_.read(existing_);
    failed_ = std::ranges::count_if(completed.failed,
                                    [&](std::int64_t run) { return !options_.slice || options_.slice->has(run); });
    if (end.stopped) return;
    if (options_.slice)
      return spdlog::info("next, once all slices are done: palstudy merge {}", options_.output.string());
    if (existing_ && existing_->has_every_run() && shard_files(parts_).empty())
      return;  // failed ones, and none was tried again
    const ArchiveWriting writing{parts_, existing_, options_.output, signals_};
    std::optional<LookState> look;
    if (study_.stop) look = look_at(study_, outcomes_of(study_, parts_, existing_));
    write_from_shards(study_, look, inputs_, provenance_, writing);
    if (failed_ > 0) return tell_first_failed(options_.output);  // the shards stay, for --resume --retry-failed
    remove_shards(parts_);
    lock_->remove_file();
    const bool compares = std::ranges::any_of(study_.axes, [](const Axis& axis) {
      return axis.key == keys::placement.name || axis.key == keys::system.name;
    });
    const std::string file = options_.output.string();
    spdlog::info("next: palstudy {}", compares ? "compare " + file : "export " + file + " --table runs");
  }

  void throw_stopped(const LoopResult& end) {
    const auto begun = own_checkpoints(study_, options_.slice, parts_).size();
    throw AgreedError(ErrorCode::stopped,
                      fmt::format("{}: stopped after {}{}\n  --resume goes on from there", options_.output.string(),
                                  counted(end.done + end.failed, "run"),
                                  begun > 0 ? fmt::format(", with checkpoints of {} more", begun) : ""));
  }

  // After an error: a campaign that finished no run leaves nothing.
  void remove_if_empty() {
    if (!lock_) return;
    try {
      if (options_.slice) return leave_slice();
      if (may_hold_runs()) return;
      remove_shards(parts_);
      lock_->remove_file();
    } catch (const std::exception&) {
      return;  // what cannot be read stays; the first error is the one to report
    }
  }
  // One that was refused before there was a campaign to take a slice of leaves no locks either.
  void leave_slice() {
    if (!slice_lock_ || std::filesystem::exists(parts_ / "campaign.json")) return;
    slice_lock_->remove_file();
    lock_->remove_file();
  }
  // Shards of earlier starts may hold runs that another version of the program can read.
  [[nodiscard]] bool may_hold_runs() const {
    const auto shards = shard_files(parts_);
    const bool own = std::ranges::all_of(shards, [&](const std::filesystem::path& shard) {
      return !start_.empty() && shard.filename().string().starts_with(start_);
    });
    return !own || !checkpoint_files(parts_).empty() || (!shards.empty() && !index_shards(parts_).runs.empty());
  }
  [[nodiscard]] std::string slice_name() const {
    return fmt::format("slice-{}-of-{}", options_.slice->index, options_.slice->count);
  }

  const Study& study_;
  const CampaignOptions& options_;
  Mpi& mpi_;
  std::filesystem::path parts_;
  Inputs inputs_;
  CompletedRunsReader shards_;  // on rank 0
  CompletedRuns completed_;
  std::optional<ExistingArchive> existing_;  // on rank 0
  StudyCost needs_;                          // on rank 0, by formula
  Provenance provenance_;
  InputSums files_;    // after share_inputs
  std::string start_;  // on rank 0: first part of the names of the shards
  std::optional<CampaignLock> lock_, slice_lock_;
  std::optional<BatchJobFile> batch_job_;  // on rank 0
  StopSignals signals_;                    // until the archive is written
  std::int64_t failed_ = 0, archived_ = 0;
  bool seen_whole_ = true;  // all checksums of the archive that is there have been looked at
  const int ranks_here_ = mpi_.ranks_on_host();
  // Before the ranks load inputs, which are of what they need.
  std::optional<double> available_mib_ = available_memory_mib();
};

}  // namespace

Slice parse_slice(const std::string& text) {
  const auto slash = std::min(text.find('/'), text.size());
  const std::string first = text.substr(0, slash), second = slash < text.size() ? text.substr(slash + 1) : "";
  const std::int64_t index = parse_integer(first).value_or(0), count = parse_integer(second).value_or(0);
  if (index >= 1 && index <= count) return {index, count};
  const bool large = beyond_64_bits(first) || beyond_64_bits(second);
  throw usage_error(fmt::format("\"{}\" {}", text, large ? "has a number beyond 64 bits" : "is no slice"), "--slice",
                    "write I/N with 1 <= I <= N, such as 2/4");
}

void require_no_failed(const std::filesystem::path& output, std::int64_t failed, std::int64_t runs) {
  if (failed == 0) return;
  throw AgreedError(ErrorCode::data,
                    fmt::format("{}: {} of {} failed; palstudy export --table runs lists them\n"
                                "  palstudy run --resume --retry-failed tries them again",
                                output.string(), failed, counted(static_cast<std::size_t>(runs), "run")));
}

int run_campaign(const Study& study, const CampaignOptions& options, Mpi& mpi) {
  return Campaign(study, options, mpi).run();
}

}  // namespace palstudy
