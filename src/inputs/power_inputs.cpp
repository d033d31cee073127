// SPDX-License-Identifier: MIT
#include "inputs/power_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "study/fingerprint.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {

const PowerTable& PowerInputs::table(const std::string& written) {
  return memoize(tables_, written, [&] {
    return power_table(CsvTable::read(files_.table(
        keys::power_watts, written, {"kernels/measurements/power", "power", "v100", "docs/howto/energy.md"})));
  });
}

/// A time that depends on the jobs and the cluster alone, so that it is one for all policies.
double PowerInputs::horizon_s(const RunPlan& run) {
  if (run.energy.horizon_s > 0) return run.energy.horizon_s;
  if (run.measure.end_s < infinity) return run.measure.end_s;
  constexpr double room = 1.5;
  double last_s = 0, longest_s = 0, gpu_s = 0;
  for (const Job& job : workloads_.workload(run).jobs) {
    if (!run.measure.takes(job)) continue;
    last_s = std::max(last_s, job.submit_s);
    longest_s = std::max(longest_s, job.ideal_s());
    gpu_s += job.gpus * job.ideal_s();
  }
  return std::max(last_s + longest_s, room * gpu_s / clusters_.topology(run).gpus());
}

EnergyModel PowerInputs::make(const RunPlan& run) {
  const EnergyOptions& o = run.energy;
  const PowerTable& power = table(o.watts);
  const auto& stands_for = profiles_.class_table(run.cluster.classes);
  EnergyModel model;
  model.idle_w = o.idle_w < 0 ? power.idle_w : o.idle_w;
  model.base_w = o.base_w;
  model.off_w = o.off_w;
  model.pue = o.pue;
  model.horizon_s = horizon_s(run);
  for (const std::string& cls : clusters_.truth(run).class_names()) {
    const auto measured = stands_for.find(cls);
    const PowerRow* row = power.find(cls, measured == stands_for.end() ? cls : measured->second);
    if (row == nullptr) {
      throw usage_error(fmt::format("the table of power \"{}\" has no row for class {}", o.watts, cls),
                        files_.study().place_of(keys::power_watts, o.watts),
                        fmt::format("give a table of your own that has a row named {}, or power.account = false", cls));
    }
    const double wait_w =
        row->kind == PowerKind::lockstep ? model.idle_w + o.wait * (row->watts - model.idle_w) : row->watts;
    if (row->kind == PowerKind::capped && !model.leaky) model.leaky = ClassId(model.classes.size());
    model.classes.push_back({row->watts, wait_w, row->exponent});
  }
  return model;
}

const EnergyModel* PowerInputs::of(const RunPlan& run) {
  if (!run.energy.account) return nullptr;
  const std::string text = cluster_text(run) + "\n" + workload_text(run) + "\n" + section_text(run, "power") + "\n" +
                           section_text(run, "measure");
  return &memoize(models_, text, [&] { return make(run); });
}

NodeSeries read_node_series(const std::filesystem::path& file) {
  constexpr long long most_nodes = 1 << 24, most_tick = 1LL << 40;
  const CsvTable table = CsvTable::read(file);
  const std::size_t tick = table.column("tick"), total = table.column("total"), used = table.column("used");
  const bool forecast = table.has_column("forecast");
  if (table.rows() == 0) throw data_error("the series has no rows", file.string(), "give one row for each tick");
  NodeSeries series;
  long long last = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const long long now = table.integer(row, tick, -most_tick, most_tick);
    if (row > 0 && now != last + 1) {
      throw data_error(fmt::format("tick {} follows tick {}", now, last), table.where(row, tick),
                       "give one row for each tick (`tick` counts up by 1)");
    }
    last = now;
    const long long nodes = table.integer(row, total, 1, most_nodes);
    series.total.push_back(static_cast<double>(nodes));
    series.used.push_back(static_cast<double>(table.integer(row, used, 0, nodes)));
    if (forecast) series.forecast.push_back(table.number(row, table.column("forecast")));
  }
  return series;
}

}  // namespace palstudy
