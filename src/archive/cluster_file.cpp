// SPDX-License-Identifier: MIT
#include "archive/cluster_file.hpp"

#include <string>

#include "archive/file_checks.hpp"
#include "archive/provenance.hpp"
#include "core/text.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"

namespace palstudy {
namespace {

using hdf5::File;

void write_gpus(File& file, const std::string& group, const CheckedCluster& checked) {
  const Topology& topology = *checked.topology;
  std::vector<std::int64_t> nodes, cabinets;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    nodes.insert(nodes.end(), topology.gpus_of(NodeId(n)), n);
    cabinets.insert(cabinets.end(), topology.gpus_of(NodeId(n)), topology.cabinet_of(NodeId(n)).value);
  }
  write_dataset(file, group + "/node", nodes, {"1", "Node of each GPU."});
  write_dataset(file, group + "/cabinet", cabinets, {"1", "Cabinet of each GPU."});
  const Slowdowns& slowdowns = checked.cluster.slowdowns;
  std::vector<std::string> paths = {group + "/node", group + "/cabinet"};
  for (std::size_t c = 0; c < slowdowns.classes(); ++c) {
    const std::string& name = slowdowns.class_names()[c];
    paths.push_back(group + "/slowdown_" + link_name(name));
    write_dataset(file, paths.back(), slowdowns.of(ClassId(c)),
                  {"1", "True slowdown of each GPU for class " + name + "."});
  }
  share_rows(file, group + "/gpu", paths);
}

void write_figures(File& file, const std::string& group, const std::vector<CheckedFigure>& figures,
                   const std::string& of, const std::string& name, const std::string& what) {
  std::vector<std::string> names;
  std::vector<double> generated, source;
  for (const CheckedFigure& figure : figures) {
    names.push_back(figure.name);
    generated.push_back(figure.generated);
    source.push_back(figure.source);
  }
  write_dataset(file, group + "/" + name, names, {"1", what});
  write_dataset(file, group + "/generated", generated, {"1", of + " over the generated GPUs."});
  write_dataset(file, group + "/source", source, {"1", of + " over the measured GPUs."});
  share_rows(file, group + "/" + name, {group + "/generated", group + "/source"});
}

void write_check(File& file, const std::string& cluster, const ClassCheck& check) {
  const std::string group = cluster + "/check/" + link_name(check.class_name);
  file.group(group);
  write_attribute(file, group, "kernel", check.kernel);
  write_attribute(file, group, "source_gpus", static_cast<std::int64_t>(check.source_gpus));
  write_attribute(file, group, "source_nodes", static_cast<std::int64_t>(check.source_nodes));
  const std::vector<double> ks{check.ks};
  write_dataset(file, group + "/ks", ks, {"1", "Kolmogorov-Smirnov distance from the source."});
  share_rows(file, group + "/ks", {group + "/ks"});
  write_figures(file, group + "/figures", check.figures, "Each figure of the slowdowns", "figure",
                "What was compared.");
  write_figures(file, group + "/expected_max", check.expected_max, "Expected largest slowdown of k GPUs side by side",
                "k", "How many GPUs.");
}

}  // namespace

void write_cluster_file(const std::filesystem::path& path, const std::vector<CheckedCluster>& clusters,
                        const Provenance& provenance) {
  hdf5::make_file(path, [&](File& file) {
    write_attribute(file, "/", "schema", std::string(cluster_schema_name) + " " + cluster_schema_version);
    write_attribute(file, "/", "schema_version", std::string(cluster_schema_version));
    write_provenance(file, provenance);
    for (const CheckedCluster& checked : clusters) {
      const std::string group = "/cluster/" + link_name(checked.cluster.key);
      file.group(group);
      write_attribute(file, group, "recipe", checked.cluster.recipe);
      write_gpus(file, group, checked);
      for (const ClassCheck& check : checked.checks) write_check(file, group, check);
    }
    write_checksum(file);
  });
}

bool is_cluster_file(const std::filesystem::path& path) {
  try {
    return join(read_attribute(File::open(path), "/", "schema")).starts_with(cluster_schema_name);
  } catch (const Error&) {
    return false;
  }
}

Found verify_cluster_file(const std::filesystem::path& path) {
  constexpr const char* make_again = "restore the file from a copy or make it again with palstudy cluster";
  return found_in(path, make_again, [&](Found& found) {
    const File file = File::open(path);
    check_file_end(file, make_again, found);
    if (!check_datasets(file, make_again, found)) return;
    check_scales(file, make_again, found);
    if (found.empty()) check_checksum(file, make_again, found);
  });
}

}  // namespace palstudy
