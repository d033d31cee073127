// SPDX-License-Identifier: MIT
#include "cli/tables/cluster_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/tables/text_table.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

std::string cell(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); }

std::string table_of(const std::vector<ClassCheck>& checks) {
  TextTable table{{"class"}, {{"measured as"}, {"measured GPUs"}, {"KS distance"}}};
  for (const ClassCheck& check : checks) {
    table.header.insert(table.header.end(), {check.class_name, "source"});
    table.rows[0].insert(table.rows[0].end(), {check.kernel, ""});
    table.rows[1].insert(table.rows[1].end(), {"", std::to_string(check.source_gpus)});
    table.rows[2].insert(table.rows[2].end(), {cell(check.ks), ""});
  }
  const auto add = [&](auto figures_of, const std::string& prefix) {
    for (std::size_t i = 0; i < figures_of(checks.front()).size(); ++i) {
      std::vector<std::string> row{prefix + figures_of(checks.front())[i].name};
      for (const ClassCheck& check : checks) {
        row.push_back(cell(figures_of(check)[i].generated));
        row.push_back(cell(figures_of(check)[i].source));
      }
      table.rows.push_back(std::move(row));
    }
  };
  add(
      [](const ClassCheck& check) -> const auto& { return check.figures; }, "");
  add(
      [](const ClassCheck& check) -> const auto& { return check.expected_max; }, "E[max] of ");
  return to_text(table);
}

Json figures_json(const std::vector<CheckedFigure>& figures) {
  Json all = Json::array();
  for (const CheckedFigure& figure : figures) {  // a NaN becomes null
    all.push_back({{"name", figure.name}, {"generated", figure.generated}, {"source", figure.source}});
  }
  return all;
}

}  // namespace

std::string cluster_text(const std::vector<CheckedCluster>& clusters) {
  std::string text;
  for (const CheckedCluster& checked : clusters) {
    text += fmt::format("{}cluster {}: {} GPUs in {} nodes\n", text.empty() ? "" : "\n", checked.cluster.key,
                        checked.topology->gpus(), checked.topology->nodes());
    text += checked.checks.empty() ? "  read from a table, so there is no source to compare it with\n"
                                   : table_of(checked.checks);
  }
  return text;
}

std::string cluster_json(const std::vector<CheckedCluster>& clusters) {
  Json all = Json::array();
  for (const CheckedCluster& checked : clusters) {
    Json classes = Json::array();
    for (const ClassCheck& check : checked.checks) {
      classes.push_back({{"class", check.class_name},
                         {"kernel", check.kernel},
                         {"source_gpus", check.source_gpus},
                         {"source_nodes", check.source_nodes},
                         {"ks", check.ks},
                         {"figures", figures_json(check.figures)},
                         {"expected_max", figures_json(check.expected_max)}});
    }
    all.push_back({{"cluster", checked.cluster.key},
                   {"gpus", checked.topology->gpus()},
                   {"nodes", checked.topology->nodes()},
                   {"recipe", checked.cluster.recipe},
                   {"classes", std::move(classes)}});
  }
  return all.dump(2) + "\n";
}

}  // namespace palstudy
