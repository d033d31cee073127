// SPDX-License-Identifier: MIT
#include <map>

#include "event_runs.hpp"

namespace palstudy {
namespace {

using std::filesystem::path;

/// Our order for a recorded policy; "" for those that are not compared (2D-Gittins, and 2D-LAS with the simulator's
/// inexact demotion).
std::string order_of(const std::string& file) {
  static const std::map<std::string, std::string> orders = {
      {"fifo", "fifo"}, {"fifo-greedy", "fifo"}, {"srtf", "srtf"}, {"srtf-gpu", "srtf-gpu"}};
  if (const auto known = orders.find(file); known != orders.end()) return known->second;
  return file.starts_with("las2d") && file.ends_with("-exact") ? "las2d" : "";
}

/// Counts promotions by job: a job is in an earlier queue than before. The state of las2d is four numbers a job, the
/// job and its queue first; other orders have none.
class Promotions {
 public:
  void look(std::span<const double> state) {
    for (std::size_t i = 0; i + 4 <= state.size(); i += 4) {
      double& before = queue_[state[i]];
      if (state[i + 1] < before) ++of[state[i]];
      before = state[i + 1];
    }
  }
  std::map<double, int> of;

 private:
  std::map<double, double> queue_;
};

/// One row of index.csv: a recorded run of Tiresias' simulator, whose clock and accounting are those of the engine with
/// whole seconds.
void replay_run(const path& folder, const CsvTable& index, std::size_t row, replay::Results& results) {
  const auto text = [&](const char* column) { return std::string(index.text(row, index.column(column))); };
  const std::string order = order_of(text("file"));
  if (order.empty()) return;
  EngineOptions engine;
  engine.backfill = text("file") == "fifo" ? Backfill::none : Backfill::greedy;
  Promotions promotions;
  const auto run = replay::run_by_events(
      folder / text("input") / "jobs.csv", static_cast<std::uint32_t>(index.integer(row, index.column("gpus"))), order,
      engine,
      [&](ParamValues& params) {
        params.set("thresholds", text("thresholds_gpu_s"));
        params.set("promote", index.number(row, index.column("promote_knob")));
      },
      [&](const View&, std::span<const double> state) { promotions.look(state); });
  const path file = folder / text("input") / (text("file") + ".csv");
  const CsvTable recorded = CsvTable::read(file);
  results.compare(file, recorded.rows(), [&](std::size_t i) {
    return replay::differs(run, recorded, i) + replay::differs("promotions",
                                                               promotions.of[replay::job_of(run, recorded, i).value],
                                                               recorded.number(i, recorded.column("promotions")));
  });
}

}  // namespace

void register_replay_tiresias(ReplayParts& parts) {
  parts.add({"tiresias",
             "Tiresias' simulator: FIFO, SRTF and 2D-LAS with exact demotion; every end, first start and preemption",
             [](const path& folder, replay::Results& results) {
               for (const path& all : replay::folders_with(folder, "index.csv")) {
                 const CsvTable index = CsvTable::read(all / "index.csv");
                 for (std::size_t row = 0; row < index.rows(); ++row) replay_run(all, index, row, results);
               }
             }});
}

}  // namespace palstudy
