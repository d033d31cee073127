// SPDX-License-Identifier: MIT
#include "inputs/input_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/error.hpp"
#include "core/progress_report.hpp"
#include "core/text.hpp"
#include "inputs/memoize.hpp"
#include "inputs/uncalibrated.hpp"
#include "study/data_dir.hpp"

namespace palstudy {
namespace {

constexpr auto bundled_models = "jobs/models.toml";

std::string topology_text(const RunPlan& run) {
  std::string text = fmt::format("{} a cabinet:", run.cluster.nodes_per_cabinet);
  for (const auto& group : run.cluster.nodes) text += fmt::format(" {}x{}", group.count, group.gpus);
  return text;
}

/// What is to be known of a trace that begins long after time 0, as one in seconds since 1970 does; or "".
std::string late_start(const Workload& workload) {
  constexpr double week_s = 7 * 86400.0;
  if (workload.jobs.empty()) return "";
  const double first = workload.jobs.front().submit_s, span = workload.jobs.back().submit_s - first;
  if (first < week_s || first < span) return "";
  return fmt::format(
      "the first job is submitted at {} s, and times count from 0: makespan, fractions of it and the windows of "
      "[measure] contain that time; subtract it from the times of the trace",
      in_digits(first));
}

}  // namespace

void InputCache::note(const std::string& sentence) {
  if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end()) notes_.push_back(sentence);
}

std::string InputCache::cluster_text(const RunPlan& run) {
  const auto& cluster = run.cluster;
  const std::string drawn = fmt::format("{}\n{}\n{}", cluster.profile, cluster.classes, cluster.seed);
  const std::string half = run.policy.knowledge == "other-half" ? "\neven runs" : "";
  return fmt::format("{}\n{}\n{}{}", topology_text(run), cluster.source,
                     cluster.source == "table" ? cluster.table : drawn, half);
}

std::string InputCache::workload_text(const RunPlan& run) {
  const auto& workload = run.workload;
  if (workload.generator.empty()) {
    const bool draws = readers().at(workload.reader).make.draws_models;
    const Superposition& copies = workload.copies;
    const bool resampled = workload.resampling != Resampling::none;
    const bool seeded = draws || resampled || copies.copies > std::floor(copies.copies);
    return fmt::format("trace\n{}\n{}\n{}\n{}\n{} {} {}\n{}", workload.trace, workload.reader, workload.models,
                       seeded ? workload.seed : 0, copies.copies, copies.first_s, copies.length_s,
                       static_cast<int>(workload.resampling)) +
           dropped_text(run);
  }
  std::string text =
      fmt::format("generator\n{}\n{}\n{}\n{}", workload.generator, workload.models, workload.seed, topology_text(run));
  for (const auto& param : generators().at(workload.generator).params) {
    const bool words = param.type == ParamType::text;
    text += fmt::format(
        "\n{} = {}", param.name,
        words ? workload.generator_params.text(param.name) : shortest(workload.generator_params.number(param.name)));
  }
  const auto& measure = run.measure;
  const std::string last =
      measure.by_window ? shortest(measure.warmup_s + measure.window_s) + " s" : std::to_string(measure.last);
  return text + "\nuntil " + last + dropped_text(run);
}

const Topology& InputCache::topology(const RunPlan& run) {
  return once(topologies_, topology_text(run),
              [&] { return Topology(run.cluster.nodes, run.cluster.nodes_per_cabinet); });
}

const Slowdowns& InputCache::truth(const RunPlan& run) {
  return once(truths_, cluster_text(run), [&] { return make_truth(run); });
}

const Bins& InputCache::believed(const RunPlan& run) {
  const auto& rule = run.cluster.bins;
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}", cluster_text(run), rule.bins, rule.single_outliers, belief_text(run));
  return once(bins_, text, [&] {
    const Slowdowns& true_ones = truth(run);
    const ProgressReport step(fmt::format("binning {} GPUs of {} classes", true_ones.gpus(), true_ones.classes()),
                              true_ones.gpus() >= gpus_that_take_long);
    const std::vector<double> outliers = outliers_from(run);
    if (run.policy.knowledge == "oracle") return Bins(true_ones, rule, outliers);  // no copy of what may be large
    return Bins(belief(run), rule, outliers);
  });
}

const Workload& InputCache::workload(const RunPlan& run) {
  const auto& classes = truth(run).class_names();
  return once(workloads_, fmt::format("{}\n{}", workload_text(run), join(classes)), [&] {
    const ProgressReport step("making the jobs of " + (run.workload.trace.empty()
                                                           ? "generator " + run.workload.generator
                                                           : run.workload.trace));
    Workload made = make_workload(run);
    drop_unlisted(run, made);
    resample_jobs(run, made);
    copy_jobs(run, made);
    const auto& cluster = run.cluster;
    bind_classes(made, classes, run.workload.trace.empty() ? "workload.generator" : run.workload.trace,
                 cluster.source == "table" ? cluster.table : "the table of classes \"" + cluster.classes + "\"");
    note_uncalibrated(run, made);
    return made;
  });
}

void InputCache::note_uncalibrated(const RunPlan& run, const Workload& made) {
  const ModelTable& table = models(run.workload.models);
  std::vector<std::string> names;
  for (const std::string& name : made.models) {
    const auto model = table.models.find(name);
    if (model != table.models.end() && !model->second.calibrated) names.push_back(name);
  }
  if (names.empty()) return;
  std::sort(names.begin(), names.end());
  note(fmt::format("{}the shares of communication of {} are assumptions, not fitted to measured scaling",
                   uncalibrated_note, join(names)));
}

const std::vector<JobModel>& InputCache::job_models(const RunPlan& run) {
  const Workload& jobs = workload(run);
  return once(job_models_, workload_text(run), [&] { return palstudy::job_models(jobs, models(run.workload.models)); });
}

std::filesystem::path InputCache::named_file(const std::string& key, const std::string& written) const {
  const auto path = study_.resolve(written);
  const auto names_it = study_.place_of(key, written) + " names it; ";
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    throw data_error("is a directory", path.string(), names_it + "name a file");
  }
  if (!std::ifstream(path, std::ios::binary)) {
    throw data_error("cannot be read", path.string(), names_it + "check that the file is there and may be read");
  }
  return path;
}

const ModelTable& InputCache::models(const std::string& written) {
  const std::string name = written.empty() ? bundled_models : written;
  return once(models_, written, [&] {
    const auto path = written.empty() ? data_dir() / bundled_models : named_file("workload.models", written);
    const auto beside = study_.resolve(bundled_models);
    std::error_code none;
    if (written.empty() && std::filesystem::exists(beside, none) && !std::filesystem::equivalent(beside, path, none)) {
      note(fmt::format("{} is not used: workload.models = \"{}\" is the program's own table; give yours another name",
                       beside.string(), bundled_models));
    }
    ModelTable table = read_model_table(path);
    files_[name] = path;
    return table;
  });
}

Workload InputCache::make_workload(const RunPlan& run) {
  const auto& options = run.workload;
  if (!options.generator.empty()) return generate(run);
  const auto path = named_file("workload.trace", options.trace);
  files_[options.trace] = path;
  const auto read_it = [&] { return read_trace(path, options.reader, models(options.models), options.seed); };
  const std::uint64_t seed = readers().at(options.reader).make.draws_models ? options.seed : 0;
  Workload read =
      options.resampling == Resampling::none
          ? read_it()
          : once(traces_, fmt::format("{}\n{}\n{}\n{}", options.trace, options.reader, options.models, seed), read_it);
  for (const auto& sentence : read.notes) note(fmt::format("{}: {}", options.trace, sentence));
  if (const std::string late = late_start(read); !late.empty()) note(fmt::format("{}: {}", options.trace, late));
  return read;
}

TraceBlocks InputCache::trace_blocks(const RunPlan& run) {
  (void)workload(run);
  return blocks_.at(workload_text(run));
}

void InputCache::resample_jobs(const RunPlan& run, Workload& workload) {
  const Resampling how = run.workload.resampling;
  if (how == Resampling::none) return;
  const TraceBlocks blocks = palstudy::trace_blocks(workload, how);
  const std::string kind(name_of(how)), place = study_.place_of("workload.resample", kind);
  if (how == Resampling::users && blocks.blocks == 0) {
    throw usage_error(fmt::format("workload.resample = \"users\", but {} names no users", run.workload.trace), place,
                      "give it a column user (reader native), or resample days or weeks");
  }
  if (blocks.blocks < 2) {
    throw usage_error(fmt::format("{} has {} to draw from", run.workload.trace, blocks.text()), place,
                      "there have to be two, and for intervals eight; use smaller blocks or a longer trace");
  }
  blocks_.insert_or_assign(workload_text(run), blocks);
  const std::size_t own = workload.jobs.size();
  resample(workload, how, run.workload.seed);
  note(
      fmt::format("{}: {} jobs in {}{}; each workload.seed draws as many of these with replacement (workload.resample)",
                  run.workload.trace, own, blocks.text(), blocks.groups > 1 ? ", each for one of its weekday" : ""));
}

void InputCache::copy_jobs(const RunPlan& run, Workload& workload) {
  Superposition copies = run.workload.copies;
  if (copies.copies <= 1) return;
  copies.seed = run.workload.seed;
  const std::size_t own = workload.jobs.size();
  superpose(workload, copies);
  note(fmt::format("{}: {} jobs in place of {}, workload.copies = {}", run.workload.trace, workload.jobs.size(), own,
                   shortest(copies.copies)));
}

namespace {

// The jobs that are too many are mostly those that [measure] asks for; then its place is the one to name.
Workload generate_jobs(const RunPlan& run, const GeneratorContext& context) {
  const ParamValues& params = run.workload.generator_params;
  try {
    return generators().at(run.workload.generator).make(context, params);
  } catch (const TooManyJobs& error) {
    const auto& known = generators().at(run.workload.generator).params;
    const bool has_end =
        std::any_of(known.begin(), known.end(), [](const Param& param) { return param.name == "end_s"; });
    if (!run.measure_given || (has_end && params.number("end_s") > 0)) throw;
    const std::string what = error.what();
    throw usage_error("[measure] asks for too many jobs: " + what.substr(0, what.find('\n')), run.measure_where,
                      fmt::format("measure less; at most {} jobs can be made", most_generated_jobs));
  }
}

}  // namespace

Workload InputCache::generate(const RunPlan& run) {
  GeneratorContext context;
  context.cluster_gpus = topology(run).gpus();
  context.seed = run.workload.seed;
  // How long jobs go on arriving behind the measured ones, so that these end under load, is the generator's to know;
  // of a window it is told no number of jobs, so here it is as long again.
  if (run.measure.by_window) {
    context.until_s = 2 * (run.measure.warmup_s + run.measure.window_s);
    context.jobs = 1;
  } else {
    context.jobs = static_cast<std::size_t>(run.measure.last) + 1;
  }
  context.data_dir = data_dir() / "jobs";
  context.models = &models(run.workload.models);
  context.files = &generator_files_;
  Workload made = generate_jobs(run, context);
  for (const auto& source : made.sources) files_["jobs/" + source] = context.data_dir / source;
  for (const auto& sentence : made.notes) note(fmt::format("generator {}: {}", run.workload.generator, sentence));
  return made;
}

}  // namespace palstudy
