// SPDX-License-Identifier: MIT
#include "cli/tables/link_tables.hpp"

namespace palstudy {

FigureTable link_table(const LocalityModel& links) {
  FigureTable table{{"level", "measured", "by", "path", "alpha us", "beta GB per s", "deviation", "points"}, {}};
  for (const Level level : {Level::node, Level::cabinet, Level::cluster}) {
    const LevelLink& link = links.at(level);
    const double beta = link.seconds_per_byte > 0 ? 1e-9 / link.seconds_per_byte : 0;
    table.rows.push_back({level_name(level), link.points > 0 ? "yes" : "no: as " + level_name(link.from), link.kernel,
                          link.path, Figure{1e6 * link.alpha_s, 2}, Figure{beta, 2}, Figure{link.residual, 1, true},
                          Figure{static_cast<double>(link.points), 0}});
  }
  return table;
}

FigureTable penalty_table(const LocalityModel& links, const ModelTable& models, std::uint32_t gpus, double overlap) {
  FigureTable table{{"model", "GPUs", "gradient MB", "iteration s", "node", "cabinet", "cluster"}, {}};
  for (const auto& [name, model] : models.models) {
    if (!(model.gradient_bytes > 0)) continue;
    const LocalityPenalty penalty = measured_penalty(links, {model.gradient_bytes, model.iteration_s}, gpus, overlap);
    table.rows.push_back({name, Figure{static_cast<double>(gpus), 0}, Figure{1e-6 * model.gradient_bytes, 1},
                          Figure{model.iteration_s}, Figure{penalty.node}, Figure{penalty.cabinet},
                          Figure{penalty.cluster}});
  }
  return table;
}

}  // namespace palstudy
