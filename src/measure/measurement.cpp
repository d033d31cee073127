// SPDX-License-Identifier: MIT
#include "measure/measurement.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>

#include "archive/file_checks.hpp"
#include "archive/profile/profile_columns.hpp"
#include "archive/profile/profile_file.hpp"
#include "core/files.hpp"
#include "core/host.hpp"
#include "core/sha256.hpp"
#include "core/stop_signals.hpp"
#include "core/text.hpp"
#include "measure/build_profile.hpp"
#include "measure/completed_repeats.hpp"
#include "measure/device_benchmark.hpp"
#include "measure/session_file.hpp"
#include "measure/setup.hpp"
#include "measure/transfers.hpp"
#include "parallel/agree.hpp"
#include "parallel/slurm_job.hpp"
#include "shard/campaign_lock.hpp"
#include "shard/frame_file.hpp"
#include "shard/frame_format.hpp"
#include "shard/measured_frame.hpp"
#include "shard/parts_folder.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;

// One measurement, step by step; every step is collective. (More than 15 members and 25 functions: a step each, and
// what the steps hand on.)
class Campaign {
 public:
  Campaign(const MeasureOptions& options, Mpi& mpi, const MakeRunner& make)
      : options_(options), mpi_(mpi), make_runner_(make), parts_(parts_dir(options.output)) {}

  int run() {
    // A refusal must leave nothing behind, so all that can be refused is looked at before anything is written.
    on_rank_0(mpi_, [&] { check_output(); });
    setup_ = collect_setup(options_, mpi_);
    const auto tidy = [this] { remove_if_empty(); };
    on_rank_0(mpi_, [&] {
      open_output(
          options_.output, [this] { open(); }, tidy);
    });
    on_all_ranks(mpi_, [&] {
      if (!lock_) lock_.emplace(CampaignLock::join(parts_));
    });
    limit_s_ = options_.time_limit_s;
    // Stopped only between repeats, so the job has to have time for one more.
    if (!limit_s_) limit_s_ = time_limit_of_job(mpi_, 1.5 * time_needed(setup_, options_).repeat_s);
    work_or_tidy(
        mpi_, [this] { work(); }, tidy);
    return failures_of_all_ != 0 ? static_cast<int>(ErrorCode::fault) : 0;
  }

 private:
  void check_output() const {
    require_new_hdf5(options_.output, options_.force, profile_schema_name);
    require_folder(parts_);
    if (std::filesystem::exists(parts_ / "campaign.json")) {
      throw usage_error("is the unfinished archive of a study", parts_.string(), "give another -o");
    }
  }

  void open() {
    lock_.emplace(CampaignLock::begin(parts_));
    check_output();
    open_session();
  }

  void work() {
    measure();
    const auto notes = mpi_.gather(failures_.notes);
    failures_of_all_ = mpi_.max(failures_.faults);
    on_rank_0(mpi_, [&] { finish(notes); });
  }

  void open_session() {
    if (options_.force) remove_parts();
    std::vector<std::string> problems;
    const Measured measured = read_measured(parts_, problems);
    completed_ = completed_repeats(measured, setup_.kernels, setup_.uuids);
    transfers_done_ = !measured.transfers.empty();
    for (const auto& problem : problems) spdlog::warn("{}", problem);
    if (const auto saved = load_session(parts_); saved && !shard_files(parts_).empty()) {
      session_ = *saved;
      require_same(session_, setup_.what, options_.output);
      ++session_.launches;
      spdlog::info("goes on with session {}: {} repeats are there", session_.id, measured.repeats.size());
    } else {
      session_ = {new_session_id(options_.session), utc_now(), options_.command_line, 1, setup_.what};
    }
    save_session(parts_, session_);
    spdlog::info("{}", setup_text(setup_, options_));
    if (setup_.core_share < 0.8) {
      spdlog::warn("a rank gets {:.2g} of a core: others share it, and repeats will be flagged", setup_.core_share);
    }
  }

  void measure() {
    shard_name_ = mpi_.broadcast(fmt::format("{}-{}", session_.id, session_.launches));
    completed_ = mpi_.broadcast(completed_);
    work_.emplace(rank(), setup_.kernels.size(), setup_.protocol, completed_);
    on_all_ranks(mpi_, [&] { benchmark_.emplace(setup_.device, setup_.kernels, settings()); });
    const std::size_t repeats = setup_.protocol.repeats;
    for (std::size_t repeat = 0; repeat < repeats + reruns_of_kernel; ++repeat) {
      const auto begin = Clock::now();
      for (const std::size_t kernel : kernel_order(setup_.kernels.size(), repeat, options_.seed)) {
        const bool mine =
            repeat < repeats ? !work_->done(kernel, repeat) : work_->wants_rerun(kernel, repeat - repeats);
        for (int turn = 0; turn < (options_.solo ? setup_.max_ranks_on_host : 1); ++turn) {
          step(kernel, repeat, mine && (!options_.solo || setup_.place.local == turn));
        }
      }
      if (repeat + 1 < repeats) log_pace(repeat + 1, std::chrono::duration<double>(Clock::now() - begin).count());
    }
    measure_all_transfers();
    close_shard();
  }

  // Unlike the estimate at the start, the pace of the first repeats includes the load by other programs.
  void log_pace(std::size_t done, double round_s) const {
    if (mpi_.rank() != 0 || round_s < 1) return;
    const auto left = static_cast<double>(setup_.protocol.repeats - done);
    spdlog::info("{} of {} repeats of all kernels are done; about {} left", done, setup_.protocol.repeats,
                 duration_text(left * round_s));
  }

  [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(mpi_.rank()); }

  void measure_all_transfers() {
    if (!wanted_transfers(options_).any() || mpi_.max(transfers_done_ ? 1 : 0) != 0) return;
    const auto transfers = measure_transfers(setup_, options_, mpi_, [this] { stop_if_asked(); });
    on_rank_0(mpi_, [&] {
      if (!transfers.empty()) shard().append(encode_measured(transfers));
    });
  }

  FrameFile& shard() {
    if (!shard_) shard_.emplace(parts_ / fmt::format("{}-{}.shard", shard_name_, mpi_.rank()));
    return *shard_;
  }
  void close_shard() {
    agree(mpi_, failure_of([&] {
            if (shard_) shard_->close();
          }));
  }

  BenchmarkSettings settings() {
    BenchmarkSettings settings{setup_.protocol, options_.telemetry_hz, options_.seed, setup_.ranks_on_host, {},
                               make_runner_,    setup_.processes};
    if (!options_.injected_slowdown.empty()) {
      settings.injected_factor = [this](const std::string& kernel) {
        return setup_.injected_slowdown.factor(rank(), kernel);
      };
    }
    return settings;
  }

  // One kernel once, on the ranks that want it, which begin together; no rank waits for another within.
  void step(std::size_t kernel, std::size_t repeat, bool mine) {
    mine = mine && !failures_.left_out.contains(kernel);
    if (mpi_.max(mine ? 1 : 0) == 0) return;
    std::optional<Failure> refused, failed, not_kept;
    if (mine) refused = failure_of([&] { benchmark_->prepare(kernel); });
    mpi_.barrier([&] { meanwhile(); });
    if (leave_out(kernel, refused)) mine = false;
    stop_if_asked();
    if (mpi_.max(mine ? 1 : 0) == 0) return;
    if (mpi_.rank() == 0) {
      const std::size_t repeats = setup_.protocol.repeats;
      const auto which = repeat < repeats ? fmt::format("repeat {} of {}", repeat + 1, repeats) : "once more";
      spdlog::info("{}, {}", setup_.kernels[kernel].record.name, which);
    }
    std::optional<MeasuredRepeat> measured;
    if (mine) failed = failure_of([&] { measured = benchmark_->measure(kernel, repeat); });
    if (measured) not_kept = failure_of([&] { keep(*measured, kernel); });
    mpi_.barrier([&] { meanwhile(); });
    (void)leave_out(kernel, failed);
    agree(mpi_, not_kept);
  }

  // Collective. A kernel that a GPU refuses, or that fails there, is measured no more on that GPU; the others go on.
  // True where it is this rank's.
  bool leave_out(std::size_t kernel, const std::optional<Failure>& failure) {
    if (mpi_.max(failure ? 1 : 0) == 0) return false;
    const std::string& name = setup_.kernels[kernel].record.name;
    if (failure) {
      benchmark_->drop(kernel);
      failures_.left_out.insert(kernel);
      if (failure->code != ErrorCode::usage) ++failures_.faults;
      failures_.notes += fmt::format("{} is left out on {} of {}: {}\n", name, setup_.device.gpu.uuid,
                                     setup_.device.gpu.host, one_line(failure->message));
    }
    std::map<std::string, std::size_t> reasons;
    for (const std::string& reason : mpi_.gather(failure ? one_line(failure->message) : "")) ++reasons[reason];
    reasons.erase("");
    for (const auto& [reason, count] : reasons) {
      spdlog::warn("{} is left out on {} of {}: {}", name, count, counted(setup_.places.size(), device_word()), reason);
    }
    return failure.has_value();
  }
  [[nodiscard]] std::string device_word() const { return setup_.device.backend == Backend::cuda ? "GPU" : "CPU core"; }
  static std::string one_line(std::string message) {
    for (std::size_t at = 0; (at = message.find('\n', at)) != std::string::npos;) message.replace(at, 1, ";");
    return message;
  }

  void keep(const MeasuredRepeat& measured, std::size_t kernel) {
    shard().append(encode_measured(measured));
    shard().tick();
    work_->add(completed_repeat(measured, rank(), kernel));
    if ((measured.repeat.flags & RepeatFlag::wrong) != 0) {
      // Whoever reads the log of rank 0 alone finds it in the flags too.
      fmt::print(stderr, "palstudy: {} on {} computes {} wrongly: {:.3g} of what rounding allows\n", measured.gpu.uuid,
                 measured.gpu.host, measured.kernel.name, measured.repeat.check_error);
    }
  }

  void meanwhile() {
    if (shard_) shard_->tick();
  }
  [[nodiscard]] bool should_stop() const {
    const double elapsed_s = std::chrono::duration<double>(Clock::now() - begin_).count();
    return signals_.raised() || (limit_s_ && elapsed_s >= *limit_s_);
  }
  void stop_if_asked() {
    if (mpi_.max(should_stop() ? 1 : 0) == 0) return;
    close_shard();
    throw AgreedError(ErrorCode::stopped, options_.output.string() +
                                              ": stopped between two repeats\n  the same command goes on from there");
  }

  void finish(const std::vector<std::string>& notes) {
    std::vector<std::string> problems;
    const Measured measured = read_measured(parts_, problems);
    require_something(measured, notes);
    ProfileSession session;
    for (const std::string& note : notes) session.remarks += note;
    session.id = session_.id;
    session.backend = backend_name(setup_.device.backend);
    session.start = session_.start_utc;
    session.end = utc_now();
    session.driver = setup_.device.driver;
    session.runtime = setup_.device.runtime;
    session.command_line = session_.command_line;
    session.seed = static_cast<std::int64_t>(options_.seed);
    session.ranks = mpi_.ranks();
    session.solo = options_.solo;
    session.injected_slowdown = !options_.injected_slowdown.empty() || options_.hosts_of > 0;
    session.protocol = protocol_text(setup_.protocol, setup_.device.backend, options_.telemetry_hz);
    const Profile profile = build_profile(measured, session, setup_.protocol);
    write_profile(options_.output, profile, provenance(profile));
    remove_parts();
    lock_->remove_file();
  }

  void require_something(const Measured& measured, const std::vector<std::string>& notes) const {
    if (!measured.repeats.empty() || !measured.transfers.empty()) return;
    const auto first = std::ranges::find_if(notes, [](const std::string& note) { return !note.empty(); });
    if (first == notes.end()) return;
    throw Error(failures_of_all_ == 0 ? ErrorCode::usage : ErrorCode::fault, "no kernel could be measured", "",
                first->substr(0, first->find('\n')));
  }

  [[nodiscard]] Provenance provenance(const Profile& profile) const {
    Provenance from;
    from.command_line = options_.command_line;
    from.start_utc = session_.start_utc;
    from.end_utc = utc_now();
    from.host = host_name();
    from.ranks = mpi_.ranks();
    from.mpi_version = mpi_.started() ? mpi_library() : "";
    from.profile_origin = profile.origin;
    if (!options_.injected_slowdown.empty()) {
      from.input_sha256[options_.injected_slowdown.string()] = sha256_file(options_.injected_slowdown);
    }
    return from;
  }

  // Left-over shards beside a profile are a legal state. Returns what is not of a measurement and stays.
  [[nodiscard]] std::string remove_own() const {
    static const std::array<std::string, 1> names = {"measure.json"};
    return clear_parts(parts_, [](const std::filesystem::directory_entry& entry) {
      std::error_code ignored;
      if (is_file_named(entry, names) || is_shard_of(measured_frames(), entry)) {
        std::filesystem::remove(entry.path(), ignored);
      }
    });
  }
  void remove_parts() const {
    if (const std::string left = remove_own(); !left.empty()) spdlog::warn("{}", left);
  }
  // After an error: a measurement that finished nothing leaves nothing of its own.
  void remove_if_empty() {
    if (!lock_ || !shard_files(parts_).empty()) return;
    (void)remove_own();
    lock_->remove_file();
  }

  /// The kernels that this rank measures no more.
  struct Failures {
    std::set<std::size_t> left_out;
    std::string notes;        // a line each
    std::int64_t faults = 0;  // that were no refusal
  };

  const MeasureOptions& options_;
  Mpi& mpi_;
  const MakeRunner& make_runner_;
  std::filesystem::path parts_;
  MeasurementSetup setup_;
  std::optional<CampaignLock> lock_;
  SessionFile session_;  // on rank 0
  std::string shard_name_;
  std::vector<CompletedRepeat> completed_;
  bool transfers_done_ = false;  // on rank 0
  std::optional<WorkList> work_;
  std::optional<DeviceBenchmark> benchmark_;
  std::optional<FrameFile> shard_;
  Failures failures_;
  std::int64_t failures_of_all_ = 0;
  std::optional<double> limit_s_;
  StopSignals signals_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

int measure_campaign(const MeasureOptions& options, Mpi& mpi, const MakeRunner& make) {
  return Campaign(options, mpi, make).run();
}

}  // namespace palstudy
