// SPDX-License-Identifier: MIT
#include "inputs/workload_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/progress_report.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "study/data_dir.hpp"
#include "study/keys/key_names.hpp"
#include "workload/trace/class_table.hpp"

namespace palstudy {
namespace {

const NoteKind late_start("late-start", Severity::care), assumed_models("assumed-models", Severity::care),
    resampled("resampled", Severity::info), copied_jobs("copied-jobs", Severity::info),
    drawn_classes("drawn-classes", Severity::care), left_initial("left-initial", Severity::info),
    idle_classes("idle-classes", Severity::care), shifted("shifted", Severity::info),
    left_wider("left-wider", Severity::care);

/// Whether a trace begins long after time 0, as one in seconds since 1970 does.
bool starts_late(const Workload& workload) {
  constexpr double week_s = 7 * day_s;
  if (workload.jobs.empty()) return false;
  const double first = workload.jobs.front().submit_s, span = workload.jobs.back().submit_s - first;
  return first >= week_s && first >= span;
}

/// Jobs that run at time 0 are there once: they cannot be drawn again or copied like arrivals.
void refuse_initial_jobs(const RunPlan& run, const Workload& workload) {
  const auto& options = run.workload;
  if (options.resampling == Resampling::none && options.copies.copies <= 1) return;
  const auto initial = std::ranges::count_if(workload.jobs, [](const Job& job) { return job.id < 0; });
  if (initial == 0) return;
  throw data_error(fmt::format("{} at time 0 (their ids are under 0), which {} cannot take for arrivals",
                               initial == 1 ? "1 job runs" : counted(static_cast<std::size_t>(initial), "job") + " run",
                               options.resampling != Resampling::none ? keys::resampling.name : keys::copies.name),
                   options.trace, "leave these jobs out of the trace");
}

}  // namespace

const Workload& WorkloadInputs::workload(const RunPlan& run) {
  const auto& classes = clusters_.truth(run).class_names();
  const std::string room = run.workload.skip_wider ? "\n" + topology_text(run) : "";
  return memoize(workloads_, workload_text(run) + room + "\n" + join(classes), [&] {
    const ProgressReport step("making the jobs of " + (run.workload.trace.empty()
                                                           ? "generator " + run.workload.generator
                                                           : run.workload.trace));
    Workload made = make_workload(run);
    tenants_.drop_unlisted(run, made);
    leave_out_wider(run, made);
    leave_out_initial(run, made);
    refuse_initial_jobs(run, made);
    resample_jobs(run, made);
    copy_jobs(run, made);
    queues_.limit_jobs(run, made);
    estimate_durations(made, run.workload.estimates, run.workload.seed);
    const auto& cluster = run.cluster;
    bind_classes(made, classes, where_jobs_are(run, made.classes, classes),
                 source_of(cluster).uses("table") ? cluster.table : "the table of classes \"" + cluster.classes + "\"");
    note_uncalibrated(run, made);
    return made;
  });
}

std::string WorkloadInputs::where_jobs_are(const RunPlan& run, const std::vector<std::string>& used,
                                           const std::vector<std::string>& classes) const {
  const auto& options = run.workload;
  if (options.trace.empty()) return keys::generator.name;
  const auto unknown = std::ranges::find_if(
      used, [&](const std::string& cls) { return std::ranges::find(classes, cls) == classes.end(); });
  if (unknown == used.end()) return options.trace;
  const auto line =
      first_line_of_class(files_.named(keys::trace, options.trace), options.reader, trace_context(run), *unknown);
  return line ? options.trace + ":" + std::to_string(*line) : options.trace;
}

void WorkloadInputs::note_uncalibrated(const RunPlan& run, const Workload& made) {
  const ModelTable& table = files_.models(run.workload.models);
  std::vector<std::string> names;
  for (const std::string& name : made.models) {
    const auto model = table.models.find(name);
    if (model != table.models.end() && !model->second.calibrated) names.push_back(name);
  }
  if (names.empty()) return;
  std::ranges::sort(names);
  files_.note(assumed_models({{"models", names}}));
}

const std::vector<JobModel>& WorkloadInputs::job_models(const RunPlan& run) {
  const Workload& jobs = workload(run);
  return memoize(job_models_, workload_text(run),
                 [&] { return palstudy::job_models(jobs, files_.models(run.workload.models)); });
}

TraceContext WorkloadInputs::trace_context(const RunPlan& run) const {
  return {files_.models(run.workload.models), run.workload.seed, run.workload.columns};
}

Workload WorkloadInputs::make_workload(const RunPlan& run) {
  const auto& options = run.workload;
  if (!options.generator.empty()) return generate(run);
  const auto path = files_.named(keys::trace, options.trace);
  files_.add(options.trace, path);
  const auto read_it = [&] { return read_trace(path, options.reader, trace_context(run)); };
  const std::uint64_t seed = readers().at(options.reader).make.draws(options.columns) ? options.seed : 0;
  const std::string text = options.trace + "\n" + options.reader + "\n" + options.models + "\n" + std::to_string(seed);
  Workload read = options.resampling == Resampling::none ? read_it() : memoize(traces_, text, read_it);
  files_.note(read.notes, options.trace);
  if (!read.recorded.empty()) with_starts_.insert(options.trace);
  give_classes(run, read);
  shift(run, read);
  return read;
}

void WorkloadInputs::shift(const RunPlan& run, Workload& read) {
  constexpr double year_s = 365 * day_s;
  if (!starts_late(read)) return;
  const double first_s = read.jobs.front().submit_s;
  if (first_s < year_s) return files_.note(late_start({{"first_s", first_s}}, run.workload.trace));
  count_from(read, first_s);
  files_.note(shifted({{"by_s", first_s}}, run.workload.trace));
}

void WorkloadInputs::leave_out_wider(const RunPlan& run, Workload& made) {
  if (!run.workload.skip_wider) return;
  const std::uint32_t gpus = clusters_.topology(run).gpus();
  const std::size_t all = made.jobs.size(), left = leave_out(made, [&](const Job&job) { return job.gpus > gpus; });
  if (left > 0) files_.note(left_wider({{"left", left}, {"of", all}, {"gpus", gpus}}, jobs_of(run)));
}

/// What a site's dump had at its beginning is no arrival that could come again.
void WorkloadInputs::leave_out_initial(const RunPlan& run, Workload& made) {
  const auto& options = run.workload;
  const bool again = options.resampling != Resampling::none || options.copies.copies > 1;
  if (!again || options.trace.empty() || !readers().at(options.reader).make.of_site) return;
  const std::size_t left = leave_out(made, [](const Job& job) { return job.id < 0; });
  if (left > 0) files_.note(left_initial({{"jobs", left}}, options.trace));
}

void WorkloadInputs::give_classes(const RunPlan& run, Workload& read) {
  const auto& options = run.workload;
  std::size_t drawn = readers().at(options.reader).make.draws(options.columns) ? read.jobs.size() : 0;
  if (!options.class_of.empty()) {
    const auto path = files_.named(keys::class_of, options.class_of);
    files_.add(options.class_of, path);
    const AssignedClasses assigned = assign_classes(read, CsvTable::read(path));
    drawn = std::min(drawn, assigned.others);
    if (!assigned.idle.empty()) files_.note(idle_classes({{"names", assigned.idle}}, options.class_of));
  }
  if (drawn > 0 && readers().at(options.reader).make.of_site) {
    files_.note(drawn_classes({{"jobs", drawn}}, options.trace));
  }
}

TraceBlocks WorkloadInputs::trace_blocks(const RunPlan& run) {
  (void)workload(run);
  return blocks_.at(workload_text(run));
}

void WorkloadInputs::resample_jobs(const RunPlan& run, Workload& workload) {
  const Resampling how = run.workload.resampling;
  if (how == Resampling::none) return;
  const TraceBlocks blocks = palstudy::trace_blocks(workload, how);
  const std::string kind(name_of(how)), place = files_.study().place_of(keys::resampling, kind);
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
  files_.note(resampled({{"jobs", own},
                         {"by", kind},
                         {"blocks", blocks.blocks},
                         {"empty", blocks.empty},
                         {"by_weekday", blocks.groups > 1}},
                        run.workload.trace));
}

void WorkloadInputs::copy_jobs(const RunPlan& run, Workload& workload) {
  SuperpositionOptions copies = run.workload.copies;
  if (copies.copies <= 1) return;
  copies.seed = run.workload.seed;
  const std::size_t own = workload.jobs.size();
  superpose(workload, copies);
  // Where seeds draw the jobs, their number is another for each: the note is the same for all, so that it stands once.
  const bool drawn = run.workload.resampling != Resampling::none;
  const bool whole = !drawn && copies.copies == std::floor(copies.copies);
  files_.note(copied_jobs({{"copies", copies.copies},
                           {"own", drawn ? Value() : Value(own)},
                           {"jobs", whole ? Value(workload.jobs.size()) : Value()}},
                          run.workload.trace));
}

namespace {

/// Too many jobs are mostly those that [measure] needs, so that the error then has its place.
Workload generate_jobs(const RunPlan& run, const GeneratorContext& context) {
  const ParamValues& params = run.workload.generator_params;
  try {
    return generators().at(run.workload.generator).make(context, params);
  } catch (const TooManyJobs& error) {
    const auto& known = generators().at(run.workload.generator).params;
    const bool has_end = std::ranges::any_of(known, [](const Param& param) { return param.name == "end_s"; });
    if (!(run.measured.by == MeasuredBy::study) || (has_end && params.number("end_s") > 0)) throw;
    throw usage_error("[measure] asks for too many jobs: " + error.parts().what, run.measured.where,
                      fmt::format("measure less; at most {} jobs can be made", most_generated_jobs));
  }
}

}  // namespace

Workload WorkloadInputs::generate(const RunPlan& run) {
  GeneratorContext context;
  context.cluster_gpus = clusters_.topology(run).gpus();
  context.seed = run.workload.seed;
  // The generator decides how long jobs arrive after the measured ones, so that these end under load. With a window it
  // gets no number of jobs, so that jobs arrive for twice its time.
  if (run.measure.by_window) {
    context.until_s = 2 * (run.measure.warmup_s + run.measure.window_s);
    context.jobs = 1;
  } else {
    context.jobs = static_cast<std::size_t>(run.measure.last) + 1;
  }
  context.data_dir = data_dir() / "jobs";
  context.models = &files_.models(run.workload.models);
  context.files = &generator_files_;
  Workload made = generate_jobs(run, context);
  for (const auto& source : made.sources) files_.add("jobs/" + source, context.data_dir / source);
  files_.note(made.notes, jobs_of(run));
  return made;
}

}  // namespace palstudy
