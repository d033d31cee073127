// SPDX-License-Identifier: MIT
// Recorded runs of HeliosArtifact: FIFO, SJF, SRTF and QSSF of fixed predictions (qssf_*), and QSSF with the artifact's
// own predictor (predictor*).
#include <fmt/format.h>

#include <algorithm>

#include "helios_world.hpp"
#include "replay.hpp"
#include "workload/predict/close_names.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;
using replay::HeliosInputs, replay::HeliosRow, replay::HeliosWorld, replay::Results, replay::differs;

constexpr double key_tolerance = 1e-9;  // relative

/// What became of the jobs of all VCs, by job id; `run(vc)` gives those of one.
template <class Run>
std::map<std::string, HeliosRow> rows_by_job(const HeliosInputs& inputs, Run run) {
  std::map<std::string, HeliosRow> all;
  for (const auto& [name, vc] : inputs.vcs) {
    const std::vector<HeliosRow> rows = run(vc);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      all[inputs.job_ids[static_cast<std::size_t>(vc.workload.jobs[i].id)]] = rows[i];
    }
  }
  return all;
}

std::string sorted_nodes(std::string_view text) {
  std::vector<std::pair<int, std::string>> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string part(text.substr(begin, end - begin));
    parts.emplace_back(std::stoi(part), part);
    begin = end + 1;
  }
  std::sort(parts.begin(), parts.end());
  std::string sorted;
  for (const auto& [node, part] : parts) sorted += (sorted.empty() ? "" : ";") + part;
  return sorted;
}

/// One recorded file against what became of the jobs. Columns that it does not have are not compared.
void compare(const fs::path& file, const std::map<std::string, HeliosRow>& ours, Results& results) {
  const CsvTable recorded = CsvTable::read(file);
  if (recorded.rows() != ours.size()) throw std::runtime_error(file.string() + " does not have a row for each job");
  results.compare(file, recorded.rows(), [&](std::size_t row) {
    const HeliosRow& job = ours.at(std::string(recorded.text(row, recorded.column("job_id"))));
    std::string how;
    const auto compare_number = [&](const char* column, double value, double tolerance = 0) {
      if (!recorded.has_column(column)) return;
      const auto text = recorded.text(row, recorded.column(column));
      if (!text.empty()) how += differs(column, value, recorded.number(row, recorded.column(column)), tolerance);
    };
    compare_number("start_s", job.start_s);
    compare_number("end_s", job.end_s);
    compare_number("queue_s", job.queue_s);
    compare_number("preemptions", job.preemptions);
    compare_number("key", job.key, key_tolerance);
    compare_number("priority", job.key, key_tolerance);
    compare_number("no_name_match", job.no_name_match ? 1 : 0);
    const std::string nodes = sorted_nodes(recorded.text(row, recorded.column("nodes")));
    return nodes == job.nodes ? how : how + fmt::format("nodes {}, recorded {}", job.nodes, nodes);
  });
}

void replay_policies(const fs::path& folder, Results& results) {
  const HeliosInputs inputs(folder);
  for (const std::string policy : {"fifo", "sjf", "srtf", "qssf"}) {
    const fs::path file = folder / (policy + ".csv");
    if (!fs::exists(file)) continue;
    compare(file,
            rows_by_job(inputs,
                        [&](const HeliosInputs::Vc& vc) {
                          return policy == "srtf" ? run_srtf(inputs, vc)
                                                  : HeliosWorld(inputs, vc, policy, "column").run();
                        }),
            results);
  }
}

/// Keys with the history that is known at the start, and the known names that are most like a job's.
void replay_static(const fs::path& file, const HeliosInputs& inputs, Results& results) {
  if (!fs::exists(file)) return;
  std::map<std::string, std::string> found;
  const CsvTable recorded = CsvTable::read(file);
  const auto text = [&](std::size_t row, const char* column) {
    return std::string(recorded.text(row, recorded.column(column)));
  };
  struct Keys {
    double naive, combined;
    std::vector<std::string> close;
  };
  std::map<std::string, Keys> ours;
  for (const auto& [name, vc] : inputs.vcs) {
    const HeliosWorld naive(inputs, vc, "qssf", "rolling"), combined(inputs, vc, "qssf", "combined");
    for (const Job& job : vc.workload.jobs) {
      ours[inputs.job_ids[static_cast<std::size_t>(job.id)]] = {naive.key(job), combined.key(job),
                                                                naive.close(vc.workload.names[job.name])};
    }
  }
  results.compare(file, recorded.rows(), [&](std::size_t row) {
    Keys keys = ours.at(text(row, "job_id"));
    keys.close.resize(2);
    std::string how =
        differs("static_naive", keys.naive, recorded.number(row, recorded.column("static_naive")), key_tolerance);
    how += differs("static_combined", keys.combined, recorded.number(row, recorded.column("static_combined")),
                   key_tolerance);
    if (keys.close[0] != text(row, "match1")) how += "match1 " + keys.close[0];
    if (keys.close[1] != text(row, "match2")) how += "match2 " + keys.close[1];
    return how;
  });
}

void replay_ratios(const fs::path& file, Results& results) {
  if (!fs::exists(file)) return;
  const CsvTable recorded = CsvTable::read(file);
  results.compare(file, recorded.rows(), [&](std::size_t row) {
    return differs(
        "ratio",
        name_ratio(recorded.text(row, recorded.column("candidate")), recorded.text(row, recorded.column("query"))),
        recorded.number(row, recorded.column("ratio")));
  });
}

/// The two known names most like each query; the known names are those of the history.
void replay_close(const fs::path& file, const HeliosInputs& inputs, Results& results) {
  if (!fs::exists(file) || inputs.vcs.empty()) return;
  const HeliosWorld world(inputs, inputs.vcs.begin()->second, "qssf", "rolling");
  const CsvTable recorded = CsvTable::read(file);
  results.compare(file, recorded.rows(), [&](std::size_t row) {
    auto close = world.close(std::string(recorded.text(row, recorded.column("query"))));
    close.resize(2);
    std::string how;
    if (close[0] != recorded.text(row, recorded.column("match1"))) how += "match1 " + close[0] + "; ";
    if (close[1] != recorded.text(row, recorded.column("match2"))) how += "match2 " + close[1];
    return how;
  });
}

void replay_predictor(const fs::path& folder, Results& results) {
  const HeliosInputs inputs(folder);
  replay_static(folder / "static_predictions.csv", inputs, results);
  for (const std::string predictor : {"naive", "combined"}) {
    const fs::path file = folder / ("qssf_" + predictor + ".csv");
    if (!fs::exists(file)) continue;
    compare(file,
            rows_by_job(inputs,
                        [&](const HeliosInputs::Vc& vc) {
                          return HeliosWorld(inputs, vc, "qssf", predictor == "naive" ? "rolling" : predictor).run();
                        }),
            results);
  }
  replay_ratios(folder / "name_ratio.csv", results);
  replay_close(folder / "close_matches.csv", inputs, results);
}

}  // namespace

void register_replay_helios_qssf(ReplayParts& parts) {
  parts.add({"helios", "QSSF, the orders beside it and its predictor (folders qssf_*, predictor*).",
             [](const fs::path& folder, Results& results) {
               for (const fs::path& input : replay::folders_with(folder, "jobs.csv")) {
                 fs::exists(input / "history.csv") ? replay_predictor(input, results) : replay_policies(input, results);
               }
             }});
}

}  // namespace palstudy
