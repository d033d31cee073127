// SPDX-License-Identifier: MIT
#include "campaign/batch_job_file.hpp"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "campaign/campaign_info.hpp"
#include "core/error.hpp"
#include "parallel/binding.hpp"
#include "parallel/mpi.hpp"
#include "parallel/slurm_job.hpp"
#include "shard/parts_folder.hpp"

namespace palstudy {
namespace {

constexpr const char* suffix = ".job.json";
constexpr const char* host_job_format = "palstudy-host-job-1";

double now_s() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string to_json(const BatchJob& job, bool ended) {
  nlohmann::json json = {{"format", host_job_format}, {"job", job.job},        {"launcher", job.launcher},
                         {"nodes", job.nodes},        {"ranks", job.ranks},    {"cores", job.cores},
                         {"start_s", job.start_s},    {"binding", job.binding}};
  if (ended) json["end_s"] = job.end_s;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

double changed_s(const std::filesystem::path& file) {
  struct stat what {};
  return ::stat(file.c_str(), &what) == 0 ? static_cast<double>(what.st_mtim.tv_sec) : 0;
}

/// When anything of a start was last written.
double last_sign_s(const std::filesystem::path& parts, const std::string& start) {
  double last = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(parts, ignored)) {
    if (entry.path().filename().string().starts_with(start)) last = std::max(last, changed_s(entry.path()));
  }
  return last;
}

BatchJob read_one(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (!json.is_object() || json.value("format", "") != host_job_format)
    throw data_error("is not what palstudy run writes");
  BatchJob job{json.at("job"),   json.at("launcher"), json.at("nodes"),
               json.at("ranks"), json.at("cores"),    json.at("start_s")};
  job.binding = json.value("binding", "");
  const std::string name = file.filename().string();
  const std::string start = name.substr(0, name.size() - std::string(suffix).size());
  job.end_s = json.contains("end_s") ? json.at("end_s").get<double>() : last_sign_s(file.parent_path(), start);
  job.end_s = std::max(job.end_s, job.start_s);
  return job;
}

/// One line, however many ranks there are; the archive has all of it.
void report_binding(std::string binding, const std::string& shared) {
  constexpr std::size_t most = 160;  // characters
  if (binding.size() > most) binding = binding.substr(0, binding.rfind(' ', most)) + " ...";
  if (shared.empty()) return spdlog::info("binding: {}", binding);
  spdlog::warn("binding: {}: {}; start fewer ranks, or bind each to its own core", binding, shared);
}

}  // namespace

BatchJob this_batch_job(Mpi& mpi) {
  const std::vector<Binding> bindings = gather_bindings(mpi);
  std::set<std::string> hosts;
  for (const Binding& binding : bindings) hosts.insert(binding.host);
  BatchJob job;
  job.job = slurm_job_id();
  job.launcher = launcher_name();
  job.nodes = slurm_nodes().value_or(static_cast<std::int64_t>(hosts.size()));
  job.ranks = mpi.ranks();
  job.cores = slurm_cpus().value_or(mpi.ranks());
  job.start_s = now_s();
  job.binding = binding_text(bindings);
  if (mpi.rank() == 0 && mpi.ranks() > 1) report_binding(job.binding, shared_cores_text(bindings));
  return job;
}

BatchJobFile::BatchJobFile(const std::filesystem::path& parts, const std::string& start, const BatchJob& job)
    : file_(parts / (start + suffix)), job_(job) {
  write_text_file(file_, to_json(job_, false));
}

void BatchJobFile::end() {
  job_.end_s = now_s();
  try {
    write_text_file(file_, to_json(job_, true));
  } catch (const Error& error) {
    spdlog::warn("core-hours: {}", error.what());
  }
}

std::vector<BatchJob> read_batch_jobs(const std::filesystem::path& parts) {
  std::error_code ignored;
  const auto files = files_ending(parts, suffix, ignored);
  std::vector<BatchJob> jobs;
  for (const auto& file : files) {
    try {
      jobs.push_back(read_one(file));
    } catch (const std::exception& error) {
      spdlog::warn("{}: its core-hours are not counted: {}", file.string(), error.what());
    }
  }
  std::ranges::stable_sort(jobs, [](const BatchJob& a, const BatchJob& b) { return a.start_s < b.start_s; });
  return jobs;
}

}  // namespace palstudy
