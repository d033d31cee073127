// SPDX-License-Identifier: MIT
#include "inputs/input_files.hpp"

#include <fmt/format.h>

#include <fstream>

#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "core/text.hpp"
#include "study/data_dir.hpp"
#include "study/fingerprint.hpp"
#include "study/keys/key_names.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

const NoteKind unused_table("unused-table", Severity::care), no_column("no-column", Severity::care),
    idle_column("idle-column", Severity::care);

}  // namespace

void InputFiles::note(const std::vector<Note>& notes, const std::string& subject) {
  for (Note one : notes) {
    one.subject = subject;
    note(std::move(one));
  }
}

void InputFiles::note_column(const char* column, const std::string& key, bool key_given, bool column_there) {
  if (key_given == column_there) return;
  note((key_given ? no_column : idle_column)({{"column", column}, {"key", key}}));
}

std::filesystem::path InputFiles::named(const std::string& key, const std::string& written) const {
  const auto path = study_.resolve(written);
  const auto names_it = study_.place_of(key, written) + " names it; ";
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    throw data_error("is a directory", path.string(), names_it + "name a file");
  }
  if (std::filesystem::is_other(path, failed)) {
    throw data_error("is a pipe or a device, which cannot be read a second time", path.string(),
                     names_it + "write what it gives to a file");
  }
  if (!std::ifstream(where_read(path), std::ios::binary)) {
    throw data_error("cannot be read", path.string(), names_it + "check that the file is there and may be read");
  }
  return path;
}

std::filesystem::path InputFiles::table(const std::string& key, const std::string& written,
                                        const BundledTables& bundled) {
  const bool own_path = written.ends_with(".csv");
  const std::string name = own_path ? written : bundled.folder + "/" + written + ".csv";
  const auto path = own_path ? named(key, written) : data_dir() / name;
  if (!own_path && !std::ifstream(where_read(path))) {
    throw usage_error(fmt::format("no table of {} is called \"{}\"", bundled.of_what, written),
                      study_.place_of(key, written),
                      fmt::format("it is \"{}\", or a path that ends in .csv ({})", bundled.example, bundled.page));
  }
  add(name, path);
  return path;
}

const ModelTable& InputFiles::models(const std::string& written) {
  const std::string name = written.empty() ? bundled_models : written;
  return memoize(models_, written, [&] {
    const auto path = written.empty() ? data_dir() / bundled_models : named(keys::models, written);
    const auto beside = study_.resolve(bundled_models);
    std::error_code none;
    if (written.empty() && std::filesystem::exists(beside, none) && !std::filesystem::equivalent(beside, path, none)) {
      note(unused_table({{"models", bundled_models}}, beside.string()));
    }
    ModelTable table = read_model_table(path);
    read_[name] = path;
    return table;
  });
}

namespace {

/// The tenants whose jobs stay, where those of others are left out.
std::string dropped_text(const RunPlan& run) {
  if (!run.tenants.on || run.tenants.unlisted != "drop") return "";
  std::string text = "\nthose of " + run.tenants.quotas;
  for (const auto& [name, gpus] : run.tenants.gpus) text += "\n" + name;
  return text;
}

}  // namespace

std::string jobs_of(const RunPlan& run) {
  return run.workload.trace.empty() ? "generator " + run.workload.generator : run.workload.trace;
}

std::string topology_text(const RunPlan& run) {
  std::string text = std::to_string(run.cluster.nodes_per_cabinet) + " a cabinet:";
  for (const auto& [count, gpus] : run.cluster.nodes) text += " " + std::to_string(count) + "x" + std::to_string(gpus);
  return text;
}

// The key of a cluster in archives is a hash of this text, so it is the same in all versions.
std::string cluster_text(const RunPlan& run) {
  const auto& source = cluster_sources().at(run.cluster.source);
  std::string text = topology_text(run) + "\n" + source.name;
  for (const std::string& key : source.make.keys) {
    text += "\n" + value_text(run, std::string(cluster_section) + "." + key);
  }
  return text + params_text(source.params, run.cluster.source_params) +
         (belief_of(run.policy).halves ? "\neven runs" : "");
}

std::uint64_t belief_seed(const RunPlan& run) {
  return run.policy.knowledge_by_cluster ? run.cluster.seed : run.policy.seed;
}

std::string belief_text(const RunPlan& run) {
  const auto& belief = beliefs().at(run.policy.knowledge);
  return belief.name + params_text(belief.params, run.policy.knowledge_params) +
         (belief.make.draws ? "\n" + std::to_string(belief_seed(run)) : "");
}

std::string prediction_text(const RunPlan& run) {
  return draws_predictions(run) ? std::to_string(run.workload.seed) : "";
}

std::string workload_text(const RunPlan& run) {
  const auto& workload = run.workload;
  std::string text = section_text(run, workload_section) + dropped_text(run);
  if (!run.slurm.queues.empty()) text += "\nlimits of " + run.slurm.queues;
  if (workload.generator.empty()) return text;
  const auto& measure = run.measure;
  const std::string last =
      measure.by_window ? shortest(measure.warmup_s + measure.window_s) + " s" : std::to_string(measure.last);
  return text + params_text(generators().at(workload.generator).params, workload.generator_params) + "\n" +
         topology_text(run) + "\nuntil " + last;
}

}  // namespace palstudy
