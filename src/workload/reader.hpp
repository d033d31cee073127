// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/registry.hpp"
#include "workload/job.hpp"
#include "workload/job_model.hpp"

namespace palstudy {

/// One row of jobs/models.toml.
struct ModelInfo {
  std::string cls;
  double iteration_s = 0;                ///< seconds per iteration at slowdown 1 and penalty 1
  double gradient_bytes = 0;             ///< bytes exchanged per iteration; 0 where it is not known
  double gpu_util = 0, mem_bw_util = 0;  ///< NaN where not known
  std::string source = {};               ///< where the numbers are from
  bool calibrated = true;                ///< false: what `how` says of communication is an assumption
  bool drawn = true;                     ///< by generators, and for traces that name no models
  std::uint32_t gpus = 0;                ///< that it is run on, where that is stated; 0: any number
  JobModel how = {};                     ///< what its iteration time depends on
};

/// jobs/models.toml: models by name, and the `classes` tables (which kernel or application stands for each class).
struct ModelTable {
  std::map<std::string, ModelInfo> models;
  std::map<std::string, std::map<std::string, std::string>> classes;  ///< table name -> class -> measurements name
};

/// Errors (data): unreadable, unknown keys, a time that is not positive; with file:line:column.
[[nodiscard]] ModelTable read_model_table(const std::filesystem::path& path);
/// The one table [classes.<name>] of a file that has nothing else: class -> measurements name, as `palstudy classify`
/// writes it. Errors (data, file:line:column): unreadable, none or several, unknown keys.
[[nodiscard]] std::map<std::string, std::string> read_class_table(const std::filesystem::path& path);

/// How the jobs of a workload run, by model; plain where the table does not have a model.
[[nodiscard]] std::vector<JobModel> job_models(const Workload& workload, const ModelTable& table);

/// A trace as a reader gets it: unpacked, and what it is called in messages.
struct TraceText {
  std::string text, name;
};

/// What a reader is told beside the trace.
struct TraceContext {
  const ModelTable& models;
  std::uint64_t seed = 1;  ///< `workload.seed`, for what the trace does not say
};

/// Where a record stands, from 1.
struct TracePlace {
  std::size_t line = 0, column = 1;
};

/// Jobs in the order of the file, and where each one's id stands. Columns, units and checks are the reader's; sorting,
/// doubled ids and names are `read_trace`'s.
struct TraceJobs {
  Workload workload;
  std::vector<TracePlace> places;
  void add(const Job& job, TracePlace place) {
    workload.jobs.push_back(job);
    places.push_back(place);
  }
};

/// Turns a trace into jobs, says by line what is wrong and notes what it leaves out.
struct TraceReader {
  std::function<void(TraceText, const TraceContext&, TraceJobs&)> read;
  std::string published = {};  ///< where traces of the format are to be had
  std::string licence = {};    ///< theirs
  bool draws_models = false;   ///< the trace names no models: they are drawn from the table by `workload.seed`
};
using ReaderRegistry = Registry<TraceReader>;
[[nodiscard]] const ReaderRegistry& readers();

/// Reads a trace (also one that gzip has packed). Sorts by submit time, stably, and notes it if that changed the order.
/// Class names are those of the trace; `bind_classes` turns them into those of the cluster.
/// Errors (data, file:line:column): no jobs, doubled ids, no GPUs, work or times that are negative or not finite.
[[nodiscard]] Workload read_trace(const std::filesystem::path& path, const std::string& reader,
                                  const ModelTable& models, std::uint64_t seed = 1);
/// The same from memory, for tests and fuzzing.
[[nodiscard]] Workload parse_trace(std::string text, const std::string& name, const std::string& reader,
                                   const ModelTable& models, std::uint64_t seed = 1);

/// The most jobs that a generator makes.
inline constexpr std::size_t most_generated_jobs = std::size_t{1} << 24;
/// It was asked for more, or for times beyond what can be counted (usage).
class TooManyJobs : public Error {
 public:
  TooManyJobs(const std::string& what, const std::string& where, const std::string& advice)
      : Error(ErrorCode::usage, what, where, advice) {}
};

/// What generators keep of the files that they read, so that the many workloads of a study read each once.
struct GeneratorFiles {
  std::map<std::filesystem::path, std::vector<std::uint32_t>> demands;  ///< GPUs of every job, in file order
};

/// What a generator is told beside its own parameters.
struct GeneratorContext {
  std::uint32_t cluster_gpus = 0;
  std::uint64_t seed = 1;          ///< `workload.seed`
  std::size_t jobs = 0;            ///< how many are wanted at least (measure.jobs.last + 1, and those behind them)
  double until_s = 0;              ///< or arrivals up to here, whichever is more
  std::filesystem::path data_dir;  ///< jobs/ of the program
  const ModelTable* models = nullptr;
  GeneratorFiles* files = nullptr;  ///< null: nothing is kept
};
using GenerateJobs = std::function<Workload(const GeneratorContext&, const ParamValues&)>;
using GeneratorRegistry = Registry<GenerateJobs>;
[[nodiscard]] const GeneratorRegistry& generators();

/// Makes Job::cls index `class_names` (those of the cluster). Errors (data): a class the cluster does not have; `where`
/// says where the jobs are from and `cluster` where its classes are.
void bind_classes(Workload& workload, const std::vector<std::string>& class_names, const std::string& where,
                  const std::string& cluster = "the cluster");

}  // namespace palstudy
