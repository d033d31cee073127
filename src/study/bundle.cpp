// SPDX-License-Identifier: MIT
#include "study/bundle.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "archive/anonymous_copy.hpp"
#include "archive/archive.hpp"
#include "archive/profile_file.hpp"
#include "archive/sha256.hpp"
#include "core/error.hpp"
#include "core/output.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"
#include "study/anonymous_text.hpp"
#include "study/bundle_facts.hpp"
#include "study/bundle_folder.hpp"
#include "study/bundle_inputs.hpp"
#include "study/bundle_manifest.hpp"
#include "study/verification.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

/// Without names nothing can stay packed.
std::string without_gz(const std::string& name) {
  return name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
}

bool is_table(const fs::path& path, const std::string& text) {
  return fs::path(without_gz(path.string())).extension() == ".csv" || has_table_heading(text);
}

fs::path without_slash(const fs::path& directory) {
  const fs::path plain = directory.lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

std::string owner_of(const fs::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return "";
  const passwd* user = ::getpwuid(info.st_uid);
  return user == nullptr ? "" : user->pw_name;
}

/// Of what goes wrong the system tells the two files, but not which of them it is.
void copy_whole(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  if (fs::copy_file(from, to, failed); !failed) return;
  const bool reads = std::ifstream(from, std::ios::binary).good();
  throw data_error(fmt::format("cannot be {}: {}", reads ? "written" : "read", failed.message()),
                   (reads ? to : from).string(),
                   reads ? "make room, or give another -o" : "check that the file may be read");
}

class Bundle {
 public:
  explicit Bundle(const BundleOptions& options)
      : options_(options), directory_(without_slash(options.directory)), archive_(options.archive) {}

  void make() {
    if (std::error_code none; fs::exists(fs::symlink_status(directory_, none))) {
      throw usage_error("exists already", directory_.string(), "give another -o, or remove it");
    }
    require_folders_above(directory_);
    check_archive();
    study_ = parse_study(archive_.resolved_study(), options_.archive.string() + ":/study/resolved");
    inputs_ = find_inputs(archive_, study_, options_.archive);
    name_files();
    if (options_.anonymous) note_all_names();
    BundleFolder aside(directory_);
    bundle_ = aside.path();
    for (BundledInput& input : inputs_) copy_input(input);
    copy_notices();
    write_study();
    copy_archive();
    describe();
    aside.put();
  }

 private:
  void check_archive() const {
    const auto findings = verify_file(options_.archive).findings;
    if (findings.empty()) return;
    throw Error(ErrorCode::verification, findings.front(), options_.archive.string(),
                "palstudy verify says all that is wrong; restore the archive, or run the study again");
  }

  /// A name of its own for each input; its own name tells what it is, unless nothing shall be told.
  void name_files() {
    std::set<std::string> taken;
    for (BundledInput& input : inputs_) {
      const std::string plain = options_.anonymous ? without_gz(input.written) : input.written;
      const fs::path name = name_of(plain);
      input.file = input.own ? "data/" + plain : "inputs/" + name.string();
      for (int number = 2; !taken.insert(input.file).second; ++number) {
        input.file = fmt::format("inputs/{}-{}{}", name.stem().string(), number, name.extension().string());
      }
    }
  }

  /// Of an input, as a file in one folder: what it is called there never leads elsewhere.
  [[nodiscard]] fs::path name_of(const std::string& plain) const {
    const fs::path last = fs::path(plain).filename();
    const bool named = !options_.anonymous && !last.empty() && last != "." && last != "..";
    return named ? last : fs::path("input" + fs::path(plain).extension().string());
  }

  [[nodiscard]] bool taken_away(const BundledInput& input) const {
    return options_.anonymous && !input.own && !input.on_axis;
  }

  void note_all_names() {
    names_.emplace();
    const std::string folder = archive_.attribute("study.folder");
    note_people(archive_.attribute("command_line") + " " + folder, *names_);
    // In free text, a path ends at a blank or a comma; this one is known to go on.
    if (folder.find_first_of(" \t\"'`,;()<>|&") != folder.npos) names_->rename(folder, names_->of_path(folder));
    names_->add_secret(owner_of(options_.archive));
    note_names(options_.archive, *names_);
    for (const BundledInput& input : inputs_) {
      if (is_profile_file(input.source)) {
        note_names(input.source, *names_);
      } else if (const std::string text = read_text_file(input.source); is_table(input.source, text)) {
        note_table_names(text, *names_);
      }
    }
    for (const BundledInput& input : inputs_) {
      if (taken_away(input)) names_->rename(input.written, input.file);
    }
    refuse_names_in_digest();
  }

  void refuse_names_in_digest() {
    std::vector<std::string> axes;
    for (const Axis& axis : study_.axes) {
      if (const auto& keys = path_keys(); std::find(keys.begin(), keys.end(), axis.key) != keys.end())
        axes.push_back(axis.key);
    }
    const auto found = names_in_digest(options_.archive, axes, *names_);
    if (found.empty()) return;
    throw usage_error(fmt::format("{}, which the digest covers{}", found.front(),
                                  found.size() > 1 ? fmt::format(", and {} more", found.size() - 1) : ""),
                      options_.archive.string(),
                      "rename it in the trace or the study (relative paths, no names of people), and run that");
  }

  void copy_input(BundledInput& input) {
    const fs::path to = bundle_ / input.file;
    fs::create_directories(to.parent_path());
    if (!options_.anonymous) {
      copy_whole(input.source, to);
      if (sha256_file(to) != input.sha256)
        throw data_error("changes while it is read", input.source.string(), "try again");
    } else if (is_profile_file(input.source)) {
      copy_anonymously(input.source, to, *names_);
    } else {
      const std::string text = read_text_file(input.source);
      write_bundled(to, is_table(input.source, text) ? anonymous_table(text, *names_) : names_->scrub(text));
    }
    BundleFile file =
        bundle_file(bundle_, input.file, input.own ? "data that comes with the program" : "an input of the study");
    add_source(input, file);
    files_.push_back(std::move(file));
  }

  void add_source(const BundledInput& input, BundleFile& file) {
    const DataSource source = source_of_data(input.source);
    if (source.readme.empty()) return;
    notices_.insert(source.readme);
    file.licence = source.licence;
    file.source = source.url;
  }

  void copy_notices() {
    if (notices_.empty()) return;
    std::error_code none;
    notices_.insert("LICENSE");
    for (const auto& entry : fs::directory_iterator(data_dir() / "LICENSES", none)) {
      notices_.insert("LICENSES/" + entry.path().filename().string());
    }
    for (const std::string& notice : notices_) {
      if (!fs::is_regular_file(data_dir() / notice, none)) continue;
      const std::string text = read_text_file(data_dir() / notice);
      const bool readme = notice.ends_with("README.md");
      write_bundled(bundle_ / "data" / notice, options_.anonymous && readme ? names_->scrub(text) : text);
      files_.push_back(
          bundle_file(bundle_, "data/" + notice, readme ? "source and licence of the data beside it" : "a licence"));
      files_.back().licence = "MIT";
    }
  }

  /// The resolved study with the paths of the bundle, and the manifest that says what they were.
  void write_study() {
    std::string text = archive_.resolved_study();
    manifest_.digest = archive_.digest();
    manifest_.anonymous = options_.anonymous;
    archived_study_ = text;
    for (const BundledInput& input : inputs_) {
      const auto file = std::find_if(files_.begin(), files_.end(), [&](const auto& f) { return f.path == input.file; });
      manifest_.inputs.push_back({taken_away(input) ? input.file : input.written, input.file,
                                  input.own ? input.sha256 : file->sha256, input.own});
      if (input.own) continue;
      text = with_path(text, input.written, input.file);
      if (taken_away(input)) archived_study_ = with_path(archived_study_, input.written, input.file);
    }
    if (options_.anonymous) {
      text = without_titles(text);
      archived_study_ = without_titles(archived_study_);
    }
    write_bundled(bundle_ / "study.toml", text);
    write_bundled(bundle_ / bundle_manifest_name, manifest_json(manifest_));
    keep_ids();
    files_.push_back(bundle_file(bundle_, "study.toml", "the study with all keys, its paths those of this folder"));
    files_.push_back(bundle_file(bundle_, bundle_manifest_name, "how the study named its inputs, for palstudy run"));
  }

  /// A path as the value of a key, however often.
  static std::string with_path(const std::string& text, const std::string& from, const std::string& to) {
    const std::string quoted = to_toml(TomlValue::of(from)), instead = to_toml(TomlValue::of(to));
    std::string made;
    std::size_t at = 0;
    for (auto place = text.find(quoted); place != std::string::npos; place = text.find(quoted, at)) {
      made.append(text, at, place - at).append(instead);
      at = place + quoted.size();
    }
    return made.append(text, at);
  }

  /// Name and title of the study are free text.
  std::string without_titles(const std::string& text) {
    std::istringstream lines(text);
    std::string line, made;
    bool titles = false;
    while (std::getline(lines, line)) {
      if (line.starts_with('[')) titles = line == "[study]";
      made += (titles ? names_->scrub(line) : line) + "\n";
    }
    return made;
  }

  /// Ids are hashes of what was written, and the digest covers them.
  void keep_ids() {
    const Study study = read_study(bundle_ / "study.toml");
    const auto numbers = std::get<std::vector<std::int64_t>>(archive_.column(TableId::runs, "run"));
    const auto ids = std::get<TextColumn>(archive_.column(TableId::runs, "id"));
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      const RunPlan& run = study.runs.at(static_cast<std::size_t>(numbers[row]));
      if (run.id != ids.at(row)) manifest_.ids[run.id] = ids.at(row);
    }
    if (!manifest_.ids.empty()) write_bundled(bundle_ / bundle_manifest_name, manifest_json(manifest_));
  }

  void copy_archive() {
    const fs::path to = bundle_ / bundled_archive_name;
    if (!options_.anonymous) {
      copy_whole(options_.archive, to);
    } else {
      InsteadOf instead;
      instead.attributes["study"] = instead.resolved_study = archived_study_;
      for (const auto& input : manifest_.inputs)
        instead.lists["input_sha256"].push_back(input.sha256 + "  " + input.written);
      instead.renamed_ids = manifest_.ids;
      copy_anonymously(options_.archive, to, *names_, instead);
      if (const auto findings = verify_file(to).findings; !findings.empty())
        throw fault("the copy is not sound: " + findings.front());
    }
    if (ArchiveReader(to).digest() != manifest_.digest) throw fault("the copy has another digest");
    files_.insert(files_.begin(), bundle_file(bundle_, "archive.h5", "the results: runs, jobs, provenance"));
  }

  void describe() {
    BundleFacts facts = bundle_facts(bundle_ / "archive.h5");
    facts.anonymous = options_.anonymous;
    facts.agent = owner_of(options_.archive);
    if (options_.anonymous) facts.agent = names_->scrub(facts.agent);
    write_bundled(bundle_ / "artifact-description.md", artifact_description(facts, files_));
    files_.push_back(bundle_file(bundle_, "artifact-description.md", "the text of an artifact description"));
    write_bundled(bundle_ / "ro-crate-metadata.json", ro_crate(facts, files_));
  }

  const BundleOptions& options_;
  fs::path directory_, bundle_;
  ArchiveReader archive_;
  Study study_;
  std::vector<BundledInput> inputs_;
  std::optional<Pseudonyms> names_;
  std::vector<BundleFile> files_;
  std::set<std::string> notices_;
  BundleManifest manifest_;
  std::string archived_study_;  ///< what the archive of the bundle says that the study was
};

}  // namespace

void make_bundle(const BundleOptions& options) {
  try {
    Bundle(options).make();
  } catch (const fs::filesystem_error& error) {
    throw data_error(error.code().message(), error.path1().string(), "make room, or give another -o");
  }
}

}  // namespace palstudy
