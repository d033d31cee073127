// SPDX-License-Identifier: MIT
#include "core/csv.hpp"
#include "replay.hpp"
#include "workload/elastic/batch_tuning.hpp"

namespace palstudy {
namespace {

constexpr double goodput_tolerance = 1e-5;

void replay_goodput(const std::filesystem::path& file, replay::Results& results) {
  const CsvTable table = CsvTable::read(file);
  if (!table.has_column("noise_var_over_sqr")) return;  // models.csv and throughput.csv, which the cases are drawn from
  results.compare(file, table.rows(), [&](std::size_t row) {
    const auto recorded = [&](const char* column) { return table.number(row, table.column(column)); };
    const auto count = [&](const char* column) {
      return static_cast<std::uint32_t>(table.integer(row, table.column(column)));
    };
    const BatchLimits limits{count("m0"), count("mmax"), count("min_local")};
    const TypeTime type{{recorded("alpha_c"), recorded("beta_c"), recorded("alpha_r"), recorded("beta_r"),
                         recorded("alpha_n"), recorded("beta_n"), recorded("gamma"), 1e-8},
                        count("max_local")};
    const JobShape shape{count("gpus"), count("nodes")};
    const double noise = recorded("noise_var_over_sqr") * limits.initial;
    const Tuned best = best_batch(limits, type, shape, noise);
    const double samples = best.batch.samples(shape.gpus);
    return replay::differs("goodput", best.goodput, recorded("goodput"), goodput_tolerance) +
           replay::differs("local_batch", best.batch.local, recorded("local_batch")) +
           replay::differs("accum_steps", best.batch.accumulations, recorded("accum_steps")) +
           replay::differs("throughput", samples / iteration_s(type.step, shape, best.batch), recorded("throughput"),
                           goodput_tolerance) +
           replay::differs("efficiency", efficiency(noise, limits.initial, samples), recorded("efficiency"),
                           goodput_tolerance);
  });
}

}  // namespace

void register_replay_goodput(ReplayParts& parts) {
  parts.add({"goodput",
             "the batch of greatest goodput, as AdaptDL's function finds it (*.csv with a column noise_var_over_sqr)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& file : replay::files_ending(folder, ".csv")) replay_goodput(file, results);
             }});
}

}  // namespace palstudy
