// SPDX-License-Identifier: MIT
#include "inputs/input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/error.hpp"
#include "core/file_copies.hpp"
#include "study/data_dir.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

constexpr auto bundled_models = "jobs/models.toml";

}  // namespace

void InputFiles::note(const std::string& sentence) {
  if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end()) notes_.push_back(sentence);
}

std::filesystem::path InputFiles::named(const std::string& key, const std::string& written) const {
  const auto path = study_.resolve(written);
  const auto names_it = study_.place_of(key, written) + " names it; ";
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    throw data_error("is a directory", path.string(), names_it + "name a file");
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
      note(fmt::format("{} is not used: workload.models = \"{}\" is the program's own table; give yours another name",
                       beside.string(), bundled_models));
    }
    ModelTable table = read_model_table(path);
    read_[name] = path;
    return table;
  });
}

}  // namespace palstudy
