// SPDX-License-Identifier: MIT
#include "bundle/bundle.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "archive/file_checks.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/reader.hpp"
#include "bundle/anonymous_copy.hpp"
#include "bundle/bundle_folder.hpp"
#include "bundle/bundle_inputs.hpp"
#include "bundle/bundle_metadata.hpp"
#include "bundle/verification.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "study/bundle_manifest.hpp"
#include "study/data_dir.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

/// Anonymous inputs are written unpacked.
std::string without_gz(const std::string& name) {
  return name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
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

/// The system's error does not show whether the source or the target failed.
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

  std::vector<std::string> make() {
    if (std::error_code none; fs::exists(fs::symlink_status(directory_, none))) {
      throw usage_error("exists already", directory_.string(), "give another -o, or remove it");
    }
    require_folders_above(directory_);
    check_archive();
    study_ = parse_study(archive_.resolved_study(), options_.archive.string() + ":/study/resolved");
    inputs_ = find_inputs(archive_, study_, options_.archive);
    name_files();
    if (options_.anonymous) tell_what_is_kept();
    BundleFolder aside(directory_);
    bundle_ = aside.path();
    if (options_.anonymous) number_names();
    for (BundledInput& input : inputs_) copy_input(input);
    copy_notices();
    write_study();
    copy_archive();
    describe();
    aside.put();
    return kept_;
  }

 private:
  void check_archive() const {
    const auto findings = verify_file(options_.archive).findings;
    if (findings.empty()) return;
    throw Error(ErrorCode::verification, first_fact(findings, options_.archive), options_.archive.string(),
                "restore the archive from a copy, or run the study again; palstudy verify lists all that is wrong");
  }

  /// Gives each input a distinct name: its own, or `input` in an anonymous bundle.
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

  /// The name of an input in the folder of inputs; it never leads to another folder.
  [[nodiscard]] fs::path name_of(const std::string& plain) const {
    const fs::path last = fs::path(plain).filename();
    const bool named = !options_.anonymous && !last.empty() && last != "." && last != "..";
    return named ? last : fs::path("input" + fs::path(plain).extension().string());
  }

  [[nodiscard]] bool taken_away(const BundledInput& input) const {
    return options_.anonymous && !input.own && !input.on_axis;
  }

  /// The digest covers tenants, classes, models and axes.
  void tell_what_is_kept() {
    if (archive_.has(TableId::jobs)) {
      const auto names = [&](const char* column) {
        return std::get<TextColumn>(archive_.column(TableId::jobs, column)).names;
      };
      for (const std::string& name : names("tenant")) {
        if (!name.empty()) tell(fmt::format("kept: the tenant \"{}\"", name));
      }
      tell_names("class", "classes", names("class"), "of the jobs");
      tell_names("model", "models", names("model"), "of the jobs");
    }
    for (std::size_t axis = 0; axis < study_.axes.size(); ++axis) {
      const std::string& key = study_.axes[axis].key;
      if (const auto& keys = path_keys(); std::ranges::find(keys, key) == keys.end()) continue;
      for (const RunPlan& run : study_.runs) tell_path(key, std::get<std::string>(run.values.at(axis)));
    }
  }

  void tell_names(const char* one, const char* several, std::vector<std::string> names, const std::string& where) {
    std::erase(names, "");
    if (names.empty()) return;
    tell(fmt::format("kept: the {} {} {}", names.size() == 1 ? one : several, join(names), where));
  }

  /// Names in a user's own input that its copy keeps: kernels of a profile, sections of a TOML file.
  void tell_names_in(const BundledInput& input) {
    std::vector<std::string> names;
    if (is_profile_file(input.source)) {
      for (const ProfileKernel& kernel : read_profile(input.source).kernels) names.push_back(kernel.name);
      return tell_names("kernel", "kernels", names, "in " + input.file);
    }
    if (!input.file.ends_with(".toml")) return;
    for (const std::string& line : split(read_text_file(input.source))) {
      if (line.starts_with('[')) names.push_back(line.substr(0, line.rfind(']') + 1));
    }
    tell_names("section", "sections", names, "in " + input.file);
  }

  void tell_path(const std::string& key, const std::string& path) {
    if (path.starts_with('/')) {
      throw usage_error(fmt::format("the axis {} has \"{}\", and the digest covers it", key, path),
                        options_.archive.string(), "give it a path relative to the study, and run that");
    }
    tell(fmt::format("kept: the axis {} with \"{}\"", key, path));
  }

  void tell(const std::string& line) {
    if (std::ranges::find(kept_, line) == kept_.end()) kept_.push_back(line);
  }

  /// By copies that do not stay.
  void number_names() {
    const fs::path aside = bundle_ / "names";
    for (const BundledInput& input : inputs_) {
      if (!input.own) copy_anonymously(input, aside);
    }
    palstudy::copy_anonymously(options_.archive, aside, names_);
    fs::remove(aside);
    names_.number();
  }

  void copy_anonymously(const BundledInput& input, const fs::path& to) {
    if (is_profile_file(input.source)) return palstudy::copy_anonymously(input.source, to, names_);
    const std::string text = read_text_file(input.source), made = anonymous_records(text, names_);
    if (made.empty()) tell(fmt::format("kept: {}, all but its lines of comments", input.file));
    write_file_in_bundle(to, made.empty() ? without_comments(text) : made);
  }

  void copy_input(BundledInput& input) {
    const fs::path to = bundle_ / input.file;
    fs::create_directories(to.parent_path());
    if (input.own || !options_.anonymous) {
      copy_whole(input.source, to);
      if (sha256_file(to) != input.sha256)
        throw data_error("changes while it is read", input.source.string(), "try again");
    } else {
      copy_anonymously(input, to);
      tell_names_in(input);
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
    notices_.insert(licence_table);
    for (const auto& entry : fs::directory_iterator(data_dir() / "LICENSES", none)) {
      notices_.insert("LICENSES/" + entry.path().filename().string());
    }
    for (const std::string& notice : notices_) {
      if (!fs::is_regular_file(data_dir() / notice, none)) continue;
      const std::string text = read_text_file(data_dir() / notice);
      const bool readme = notice.ends_with("README.md") || notice == licence_table;
      write_file_in_bundle(bundle_ / "data" / notice, text);
      files_.push_back(bundle_file(bundle_, "data/" + notice,
                                   readme ? "source and licence of the data beside it" : "the text of a licence"));
      files_.back().licence = readme ? "MIT" : "NONE";
    }
  }

  /// The resolved study with the paths of the bundle, and the manifest that says what they were.
  void write_study() {
    std::string text = archive_.resolved_study();
    manifest_.digest = archive_.digest();
    manifest_.anonymous = options_.anonymous;
    archived_study_ = text;
    for (const BundledInput& input : inputs_) {
      const auto file = std::ranges::find_if(files_, [&](const auto& f) { return f.path == input.file; });
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
    write_file_in_bundle(bundle_ / "study.toml", text);
    write_file_in_bundle(bundle_ / bundle_manifest_name, manifest_json(manifest_));
    keep_ids();
    files_.push_back(bundle_file(bundle_, "study.toml", "the study with all keys, its paths those of this folder"));
    files_.push_back(bundle_file(bundle_, bundle_manifest_name, "how the study named its inputs, for palstudy run"));
  }

  /// A path as the value of a key, however often.
  static std::string with_path(const std::string& text, const std::string& from, const std::string& to) {
    return replaced(text, to_toml(TomlValue::of(from)), to_toml(TomlValue::of(to)));
  }

  /// The study without its creator, name, question and title, which may identify the authors.
  [[nodiscard]] std::string without_titles(const std::string& text) const {
    const auto line = [](const char* key, const std::string& value) {
      return fmt::format("{} = {}\n", key, to_toml(TomlValue::of(value)));
    };
    const auto lines = [&](const std::string& name, const std::string& question, const std::string& title) {
      return (study_.license.empty() ? "" : line("license", study_.license)) + line("name", name) +
             (question.empty() ? "" : line("question", question)) + line("title", title);
    };
    const std::string creator = study_.creator.empty() ? "" : line("creator", study_.creator), section = "\n[study]\n";
    return replaced(text, section + creator + lines(study_.name, study_.question, study_.title),
                    section + lines("anonymous", "", ""));
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
    if (!manifest_.ids.empty()) write_file_in_bundle(bundle_ / bundle_manifest_name, manifest_json(manifest_));
  }

  void copy_archive() {
    const fs::path to = bundle_ / bundled_archive_name;
    if (!options_.anonymous) {
      copy_whole(options_.archive, to);
    } else {
      Overrides instead;
      std::vector<std::string> inputs;
      for (const auto& input : manifest_.inputs) inputs.push_back(input.sha256 + "  " + input.written);
      for (const BundledInput& input : inputs_) {
        if (taken_away(input)) instead.paths[input.written] = input.file;
      }
      instead.attributes = {
          {"study", archived_study_}, {"study.name", "anonymous"}, {"study.title", ""}, {"input_sha256", inputs}};
      if (!study_.question.empty()) instead.attributes["study.question"] = "";
      instead.study = archived_study_;
      instead.renamed_ids = manifest_.ids;
      palstudy::copy_anonymously(options_.archive, to, names_, instead);
      if (const auto findings = verify_file(to).findings; !findings.empty())
        throw fault("the copy is not sound: " + findings.front());
    }
    if (ArchiveReader(to).digest() != manifest_.digest) throw fault("the copy has another digest");
    files_.insert(files_.begin(), bundle_file(bundle_, bundled_archive_name, "the results: runs, jobs, provenance"));
  }

  void describe() {
    BundleFacts facts(bundle_ / bundled_archive_name);
    facts.anonymous = options_.anonymous;
    facts.agent = options_.anonymous ? "anonymous" : owner_of(options_.archive);
    write_file_in_bundle(bundle_ / "artifact-description.md", artifact_description(facts, files_));
    files_.push_back(bundle_file(bundle_, "artifact-description.md", "the text of an artifact description"));
    write_file_in_bundle(bundle_ / "ro-crate-metadata.json", ro_crate(facts, files_));
  }

  const BundleOptions& options_;
  fs::path directory_, bundle_;
  ArchiveReader archive_;
  Study study_;
  std::vector<BundledInput> inputs_;
  NumberedNames names_;
  std::vector<std::string> kept_;  ///< what an anonymous bundle keeps as it is, a line each
  std::vector<BundleFile> files_;
  std::set<std::string> notices_;
  BundleManifest manifest_;
  std::string archived_study_;  ///< what the archive of the bundle says that the study was
};

}  // namespace

std::vector<std::string> make_bundle(const BundleOptions& options) {
  try {
    return Bundle(options).make();
  } catch (const fs::filesystem_error& error) {
    throw data_error(error.code().message(), error.path1().string(), "make room, or give another -o");
  }
}

}  // namespace palstudy
