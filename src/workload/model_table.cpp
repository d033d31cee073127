// SPDX-License-Identifier: MIT
#include "workload/model_table.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"

namespace palstudy {

namespace {

/// Reads the parts of the file, with their places for messages.
class ModelFile {
 public:
  explicit ModelFile(std::string name) : name_(std::move(name)) {}

  ModelTable table(const toml::table& root) const {
    ModelTable out;
    check_keys(root, {"models", "classes"});
    if (const auto* models = subtable(root, "models")) {
      for (const auto& [key, node] : *models) out.models.emplace(key.str(), model(as_table(key, node)));
    }
    if (const auto* classes = subtable(root, "classes")) {
      for (const auto& [key, node] : *classes) out.classes.emplace(key.str(), class_names(as_table(key, node)));
    }
    if (out.models.empty()) throw data_error("has no models", name_, "each is a table [models.<name>]");
    return out;
  }

  std::map<std::string, std::string> only_class_table(const toml::table& root) const {
    check_keys(root, {"classes"});
    const auto* classes = subtable(root, "classes");
    if (classes == nullptr || classes->size() != 1) {
      throw data_error(fmt::format("has {} tables of classes", classes == nullptr ? 0 : classes->size()), name_,
                       "it has to have one: [classes.<name>] with a line for each class, such as A = \"sgemm\"");
    }
    const auto only = classes->begin();  // it holds what it points at
    return class_names(as_table(only->first, only->second));
  }

  std::string where(const toml::source_position& at) const {
    return fmt::format("{}:{}:{}", name_, at.line, at.column);
  }

 private:
  std::string where(const toml::node& node) const { return where(node.source().begin); }

  void check_keys(const toml::table& table, const std::vector<std::string>& known) const {
    for (const auto& [key, node] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      throw data_error(fmt::format("unknown key \"{}\"{}", key.str(), suggestion(key.str(), known)),
                       where(key.source().begin), "known here: " + join(known));
    }
  }

  const toml::table& as_table(const toml::key& key, const toml::node& node) const {
    if (const auto* table = node.as_table()) return *table;
    throw data_error(fmt::format("\"{}\" is not a table", key.str()), where(node),
                     "write it as [models.<name>] or [classes.<name>]");
  }

  const toml::table* subtable(const toml::table& root, std::string_view key) const {
    const auto found = root.find(key);
    return found == root.end() ? nullptr : &as_table(found->first, found->second);
  }

  const toml::node& required(const toml::table& table, std::string_view key) const {
    if (const auto* node = table.get(key)) return *node;
    throw data_error(fmt::format("the key \"{}\" is missing", key), where(table), "add it to this table");
  }

  std::string text(const toml::node& node, std::string_view key) const {
    const auto* value = node.as_string();
    if (value == nullptr || value->get().empty()) {
      throw data_error(fmt::format("\"{}\" is not a text", key), where(node),
                       "write it in quotes; it may not be empty");
    }
    return value->get();
  }

  double number(const toml::node& node, std::string_view key, double least, double most) const {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value) throw data_error(fmt::format("\"{}\" is not a number", key), where(node), "write it without quotes");
    if (!(*value >= least && *value <= most)) {
      throw data_error(fmt::format("{} = {} is out of range", key, shortest(*value)), where(node),
                       fmt::format("it has to lie within {} and {}", shortest(least), shortest(most)));
    }
    return *value;
  }

  double optional_number(const toml::table& table, std::string_view key, double most, double otherwise) const {
    const auto* node = table.get(key);
    return node == nullptr ? otherwise : number(*node, key, 0, most);
  }

  bool flag(const toml::table& table, std::string_view key, bool otherwise) const {
    const auto* node = table.get(key);
    if (node == nullptr) return otherwise;
    if (const auto* value = node->as_boolean()) return value->get();
    throw data_error(fmt::format("\"{}\" is neither true nor false", key), where(*node), "write it without quotes");
  }

  std::uint32_t whole(const toml::table& table, std::string_view key, std::uint32_t otherwise) const {
    const auto* node = table.get(key);
    if (node == nullptr) return otherwise;
    const double value = number(*node, key, 1, static_cast<double>(most_job_gpus));
    if (std::trunc(value) != value) {
      throw data_error(fmt::format("{} = {} is not a whole number", key, shortest(value)), where(*node), "round it");
    }
    return static_cast<std::uint32_t>(value);
  }

  std::vector<double> numbers(const toml::table& table, std::string_view key, double least, double most) const {
    const auto& node = required(table, key);
    const auto* list = node.as_array();
    if (list == nullptr || list->empty()) {
      throw data_error(fmt::format("\"{}\" is not a list of numbers", key), where(node), "write it as [1, 2]");
    }
    std::vector<double> values;
    for (const auto& item : *list) values.push_back(number(item, key, least, most));
    return values;
  }

  JobModel pipelined(const toml::table& table) const {
    JobModel how;
    how.kind = JobModelKind::pipelined;
    how.tensor = whole(table, "tensor", 1);
    how.pipeline = whole(table, "pipeline", 1);
    how.microbatches = whole(table, "microbatches", 1);
    how.interleave = whole(table, "interleave", 1);
    how.tensor_share = optional_number(table, "tensor_share", 0.999, 0);
    how.exchange_share = optional_number(table, "exchange_share", 0.999, 0);
    return how;
  }

  JobModel bulk(const toml::table& table) const {
    JobModel how;
    how.kind = JobModelKind::bulk;
    const auto nodes = numbers(table, "comm_nodes", 1, static_cast<double>(most_job_gpus));
    const auto shares = numbers(table, "comm_share", 0, 0.999);
    if (nodes.size() != shares.size() || nodes.front() != 1 ||
        std::ranges::adjacent_find(nodes, std::greater_equal<>()) != nodes.end()) {
      throw data_error("comm_nodes does not fit comm_share", where(*table.get("comm_nodes")),
                       "it begins with 1 and ascends, and each number has its share");
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) how.comm.push_back({nodes[i], shares[i]});
    return how;
  }

  /// The keys of every model, and those of its kind.
  JobModel how(const toml::table& table) const {
    std::vector<std::string> keys = {"class", "iteration_s", "gradient_bytes", "gpu_util", "mem_bw_util", "skew",
                                     "drawn", "source",      "gpus",           "kind",     "calibrated"};
    const auto* node = table.get("kind");
    const std::string kind = node == nullptr ? "plain" : text(*node, "kind");
    if (kind == "plain") {
      check_keys(table, keys);
      return {};
    }
    if (kind == "pipelined") {
      keys.insert(keys.end(), {"tensor", "pipeline", "microbatches", "interleave", "tensor_share", "exchange_share"});
      check_keys(table, keys);
      return pipelined(table);
    }
    if (kind == "elastic") {
      keys.insert(keys.end(), {"batch", "epochs", "epoch_iterations", "restart_s", "noise", "types"});
      check_keys(table, keys);
      return {};
    }
    if (kind != "bulk") {
      throw data_error(fmt::format("unknown kind \"{}\"", kind), where(*node),
                       "known: plain, pipelined, bulk, elastic");
    }
    keys.insert(keys.end(), {"comm_nodes", "comm_share"});
    check_keys(table, keys);
    return bulk(table);
  }

  TypeTime elastic_type(const toml::table& table) const {
    check_keys(table, {"alpha_c", "beta_c", "alpha_r", "beta_r", "alpha_n", "beta_n", "gamma", "max_local", "error"});
    constexpr double most_s = 1e6, most_overlap = 10;
    TypeTime type;
    StepTime& step = type.step;
    for (const auto& [key, value] :
         {std::pair("alpha_c", &step.alpha_c), std::pair("beta_c", &step.beta_c), std::pair("alpha_r", &step.alpha_r),
          std::pair("beta_r", &step.beta_r), std::pair("alpha_n", &step.alpha_n), std::pair("beta_n", &step.beta_n)}) {
      *value = number(required(table, key), key, 0, most_s);
    }
    step.gamma = number(required(table, "gamma"), "gamma", 1, most_overlap);
    type.max_local = whole(table, "max_local", 1);
    type.error = number(required(table, "error"), "error", 0, 1);
    return type;
  }

  /// Shares of the work from 0 to 1, ascending, and the noise after each.
  NoiseScale noise(const toml::table& table) const {
    const auto& node = required(table, "noise");
    const auto* list = node.as_array();
    NoiseScale noise;
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto* pair = list->get(i)->as_array();
      if (pair == nullptr || pair->size() != 2) break;
      noise.knots.push_back({number(*pair->get(0), "noise", 0, 1), number(*pair->get(1), "noise", 1e-9, 1e18)});
    }
    const auto not_after = [](const NoiseKnot& a, const NoiseKnot& b) { return a.share >= b.share; };
    if (list == nullptr || list->empty() || noise.knots.size() != list->size() ||
        std::ranges::adjacent_find(noise.knots, not_after) != noise.knots.end()) {
      throw data_error("noise is no list of pairs", where(node),
                       "write [[0, 99], [1, 6e4]]: shares of the work, ascending, and samples");
    }
    return noise;
  }

  std::optional<ElasticInfo> elastic(const toml::table& table) const {
    const auto* kind = table.get("kind");
    if (kind == nullptr || text(*kind, "kind") != "elastic") return std::nullopt;
    ElasticInfo info;
    const auto* batch = subtable(table, "batch");
    if (batch == nullptr) throw data_error("the key \"batch\" is missing", where(table), "add it to this table");
    check_keys(*batch, {"initial", "most", "min_local"});
    info.model.limits = {whole(*batch, "initial", 1), whole(*batch, "most", 1), whole(*batch, "min_local", 1)};
    const BatchLimits& limits = info.model.limits;
    if (limits.min_local > limits.initial || limits.initial > limits.most) {
      throw data_error("the batches do not ascend", where(*batch), "they are min_local <= initial <= most");
    }
    info.model.epochs.count = whole(table, "epochs", 1);
    info.model.epochs.iterations = number(required(table, "epoch_iterations"), "epoch_iterations", 1e-3, 1e12);
    info.model.restart_s = optional_number(table, "restart_s", longest_job_s, 0);
    info.model.noise = noise(table);
    const auto* types = subtable(table, "types");
    if (types == nullptr || types->empty()) {
      throw data_error("no types of GPUs", where(table), "give types.<name> = { alpha_c = ..., ... } for one at least");
    }
    for (const auto& [key, node] : *types) {
      info.types.emplace_back(key.str());
      info.model.types.push_back(elastic_type(as_table(key, node)));
    }
    return info;
  }

  /// A pipelined model has to fit the GPUs that it is run on.
  void check_gpus(const ModelInfo& info, const toml::table& table) const {
    if (info.how.kind != JobModelKind::pipelined || info.gpus == 0) return;
    if (const auto problem = misfit(info.how, info.gpus); !problem.empty()) {
      throw data_error(problem, where(*table.get("gpus")), "change gpus, tensor, pipeline or microbatches");
    }
  }

  ModelInfo model(const toml::table& table) const {
    ModelInfo info;
    info.how = how(table);
    info.gpus = whole(table, "gpus", 0);
    check_gpus(info, table);
    info.cls = text(required(table, "class"), "class");
    const auto& iteration = required(table, "iteration_s");
    info.iteration_s = number(iteration, "iteration_s", 0, longest_job_s);
    if (info.iteration_s == 0) throw data_error("iteration_s = 0", where(iteration), "give a number over 0");
    info.gradient_bytes = optional_number(table, "gradient_bytes", 1e18, 0);
    info.skew = optional_number(table, "skew", 1, 0);
    info.gpu_util = optional_number(table, "gpu_util", 1, nan);
    info.mem_bw_util = optional_number(table, "mem_bw_util", 1, nan);
    info.calibrated = flag(table, "calibrated", true);
    info.drawn = flag(table, "drawn", true);
    info.source = text(required(table, "source"), "source");
    info.elastic = elastic(table);
    return info;
  }

  std::map<std::string, std::string> class_names(const toml::table& table) const {
    std::map<std::string, std::string> names;
    for (const auto& [key, node] : table) names.emplace(key.str(), text(node, key.str()));
    if (names.empty()) throw data_error("no classes", where(table), "name measurements for at least one class");
    return names;
  }

  std::string name_;
};

/// What `read` makes of the file's root.
template <class Read>
auto parse_file(const std::filesystem::path& path, Read read) {
  const std::string text = read_text_file(path);
  const ModelFile file(path.string());
  try {
    return read(file, toml::parse(text, path.string()));
  } catch (const toml::parse_error& error) {
    throw data_error(std::string(error.description()), file.where(error.source().begin), "the file has to be TOML");
  }
}

}  // namespace

ModelTable read_model_table(const std::filesystem::path& path) {
  return parse_file(path, [](const ModelFile& file, const toml::table& root) { return file.table(root); });
}

std::map<std::string, std::string> read_class_table(const std::filesystem::path& path) {
  return parse_file(path, [](const ModelFile& file, const toml::table& root) { return file.only_class_table(root); });
}

std::vector<JobModel> job_models(const Workload& workload, const ModelTable& table) {
  std::vector<JobModel> models;
  for (const auto& name : workload.models) {
    const auto found = table.models.find(name);
    models.push_back(found == table.models.end() ? JobModel{} : found->second.how);
  }
  return models;
}

const ModelInfo& model_of(const ModelTable& models, const CsvTable& table, std::size_t row, std::size_t column) {
  const auto name = table.text(row, column);
  const auto found = models.models.find(std::string(name));
  if (found != models.models.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [model, info] : models.models) known.push_back(model);
  throw data_error(fmt::format("unknown model \"{}\"{}", name, suggestion(name, known)), table.where(row, column),
                   "the table of models (workload.models) has: " + join(known));
}

ClassId class_of(const ModelInfo& model, std::vector<std::string>& classes) {
  const auto place = std::ranges::find(classes, model.cls);  // a handful
  const ClassId id(static_cast<std::size_t>(place - classes.begin()));
  if (place == classes.end()) classes.push_back(model.cls);
  return id;
}

}  // namespace palstudy
