// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/csv.hpp"
#include "core/text.hpp"
#include "elastic_sets.hpp"
#include "replay.hpp"

namespace palstudy {
namespace {

constexpr double set_tolerance = 1e-9;

/// The set of an instance; of exactly so many GPUs, unless that is 0.
BestSet set_of(const replay::SetInstance& instance, std::uint32_t gpus) {
  return best_set(instance.gpus, instance.penalties, instance.kind, UINT32_MAX,
                  [&](JobShape shape, const SlowGpus& slow) {
                    return gpus == 0 || shape.gpus == gpus ? instance.worth(shape, slow) : 0;
                  });
}

/// "1:goodput;2:goodput": the best of each size, where any yields something.
std::string differs_by_gpus(const replay::SetInstance& instance, const std::string& text) {
  std::string difference;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t colon = text.find(':', begin), end = std::min(text.find(';', begin), text.size());
    const auto gpus = static_cast<std::uint32_t>(std::stoul(text.substr(begin, colon - begin)));
    difference += replay::differs("goodput of " + std::to_string(gpus), set_of(instance, gpus).goodput,
                                  std::stod(text.substr(colon + 1, end - colon - 1)), set_tolerance);
    begin = end + 1;
  }
  return difference;
}

void replay_best_set(const std::filesystem::path& best_file, const std::filesystem::path& instances_file,
                     replay::Results& results) {
  const replay::ElasticModels models = replay::models_of_sets(best_file.parent_path());
  const CsvTable instances = CsvTable::read(instances_file), table = CsvTable::read(best_file);
  results.compare(best_file, table.rows(), [&](std::size_t row) {
    const replay::SetInstance instance = replay::read_set_instance(instances, row, models);
    const BestSet best = set_of(instance, 0);
    std::vector<std::string> gpus;
    for (const std::uint32_t gpu : best.gpus) gpus.push_back(std::to_string(gpu));
    const std::string set = join(gpus, " ");
    return replay::differs("case", instances.number(row, 0), table.number(row, 0)) +
           replay::differs("gpus", best.shape.gpus, table.number(row, table.column("gpus"))) +
           replay::differs("goodput", best.goodput, table.number(row, table.column("goodput")), set_tolerance) +
           (set == table.text(row, table.column("set")) ? "" : "set " + set + "; ") +
           differs_by_gpus(instance, std::string(table.text(row, table.column("best_goodput_by_gpus"))));
  });
}

}  // namespace

void register_replay_best_set(ReplayParts& parts) {
  parts.add({"best-set", "the best GPUs for one job, against all subsets (NAME-instances.csv, NAME-best.csv)",
             [](const std::filesystem::path& folder, replay::Results& results) {
               for (const auto& [best, instances] : replay::best_files(folder)) {
                 replay_best_set(best, instances, results);
               }
             }});
}

}  // namespace palstudy
