// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/job_fields.hpp"
#include "workload/reader.hpp"

namespace palstudy {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t size_limit = std::size_t{16} << 20;

/// Reads the parts of the file and knows where they stand in it.
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
    if (out.models.empty()) throw data_error("has no models", name_, "Each is a table [models.<name>].");
    return out;
  }

  std::map<std::string, std::string> only_class_table(const toml::table& root) const {
    check_keys(root, {"classes"});
    const auto* classes = subtable(root, "classes");
    if (classes == nullptr || classes->size() != 1) {
      throw data_error(fmt::format("has {} tables of classes", classes == nullptr ? 0 : classes->size()), name_,
                       "It has to have one: [classes.<name>] with a line for each class, such as A = \"sgemm\".");
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
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const auto near = nearest(key.str(), known);
      throw data_error(fmt::format("unknown key \"{}\"{}", key.str(), near ? "; did you mean \"" + *near + "\"?" : ""),
                       where(key.source().begin), "Known here: " + join(known) + ".");
    }
  }

  const toml::table& as_table(const toml::key& key, const toml::node& node) const {
    if (const auto* table = node.as_table()) return *table;
    throw data_error(fmt::format("\"{}\" is not a table", key.str()), where(node),
                     "Write it as [models.<name>] or [classes.<name>].");
  }

  const toml::table* subtable(const toml::table& root, std::string_view key) const {
    const auto found = root.find(key);
    return found == root.end() ? nullptr : &as_table(found->first, found->second);
  }

  const toml::node& required(const toml::table& table, std::string_view key) const {
    if (const auto* node = table.get(key)) return *node;
    throw data_error(fmt::format("the key \"{}\" is missing", key), where(table), "Every model needs one.");
  }

  std::string text(const toml::node& node, std::string_view key) const {
    const auto* value = node.as_string();
    if (value == nullptr || value->get().empty()) {
      throw data_error(fmt::format("\"{}\" is not a text", key), where(node),
                       "Write it in quotes; it may not be empty.");
    }
    return value->get();
  }

  double number(const toml::node& node, std::string_view key, double least, double most) const {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value) throw data_error(fmt::format("\"{}\" is not a number", key), where(node), "Write it without quotes.");
    if (!(*value >= least && *value <= most)) {
      throw data_error(fmt::format("{} = {} is out of range", key, shortest(*value)), where(node),
                       fmt::format("It has to lie within {} and {}.", shortest(least), shortest(most)));
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
    throw data_error(fmt::format("\"{}\" is neither true nor false", key), where(*node), "Write it without quotes.");
  }

  ModelInfo model(const toml::table& table) const {
    check_keys(table, {"class", "iteration_s", "gradient_bytes", "gpu_util", "mem_bw_util", "drawn", "source"});
    ModelInfo info;
    info.cls = text(required(table, "class"), "class");
    const auto& iteration = required(table, "iteration_s");
    info.iteration_s = number(iteration, "iteration_s", 0, longest_s);
    if (info.iteration_s == 0) throw data_error("iteration_s = 0", where(iteration), "It has to be over 0.");
    info.gradient_bytes = optional_number(table, "gradient_bytes", 1e18, 0);
    info.gpu_util = optional_number(table, "gpu_util", 1, nan);
    info.mem_bw_util = optional_number(table, "mem_bw_util", 1, nan);
    info.drawn = flag(table, "drawn", true);
    info.source = text(required(table, "source"), "source");
    return info;
  }

  std::map<std::string, std::string> class_names(const toml::table& table) const {
    std::map<std::string, std::string> names;
    for (const auto& [key, node] : table) names.emplace(key.str(), text(node, key.str()));
    if (names.empty()) throw data_error("no classes", where(table), "Name measurements for at least one class.");
    return names;
  }

  std::string name_;
};

std::string read_whole(const std::filesystem::path& path) {
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, ignored)) {
    throw data_error("cannot be read", path.string(), "Check that the file is there and may be read.");
  }
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  while ((in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0)) {
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > size_limit) throw data_error("is larger than 16 MiB", path.string(), "Is it a table of models?");
  }
  return text;
}

/// What `read` makes of the file's root.
template <class Read>
auto parse_file(const std::filesystem::path& path, Read read) {
  const std::string text = read_whole(path);
  const ModelFile file(path.string());
  try {
    return read(file, toml::parse(text, path.string()));
  } catch (const toml::parse_error& error) {
    throw data_error(std::string(error.description()), file.where(error.source().begin), "The file has to be TOML.");
  }
}

}  // namespace

ModelTable read_model_table(const std::filesystem::path& path) {
  return parse_file(path, [](const ModelFile& file, const toml::table& root) { return file.table(root); });
}

std::map<std::string, std::string> read_class_table(const std::filesystem::path& path) {
  return parse_file(path, [](const ModelFile& file, const toml::table& root) { return file.only_class_table(root); });
}

}  // namespace palstudy
