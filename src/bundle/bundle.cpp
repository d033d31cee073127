// SPDX-License-Identifier: MIT
#include "bundle/bundle.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <set>
#include <span>
#include <utility>

#include "archive/profile/profile_file.hpp"
#include "archive/reader.hpp"
#include "bundle/anonymous_copy.hpp"
#include "bundle/bundle_inputs.hpp"
#include "bundle/bundle_metadata.hpp"
#include "bundle/data_source.hpp"
#include "bundle/verification.hpp"
#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "study/bundle_manifest.hpp"
#include "study/data_dir.hpp"
#include "study/keys/key_names.hpp"
#include "study/resolved_text.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

/// A folder while it is made, beside its place; gone again unless it is put there.
class FolderAside {
 public:
  explicit FolderAside(const fs::path& target)
      : target_(target), path_(fmt::format("{}.{}.part", target.string(), getpid())) {
    make_folder_of(target);
    if (!fs::create_directory(path_)) {
      done_ = true;  // the folder belongs to another process
      throw usage_error("exists already", path_.string(), "remove it, or give another -o");
    }
  }
  FolderAside(const FolderAside&) = delete;
  FolderAside& operator=(const FolderAside&) = delete;
  ~FolderAside() {
    std::error_code ignored;
    if (!done_) fs::remove_all(path_, ignored);
  }
  void put() {
    fs::rename(path_, target_);
    done_ = true;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path target_, path_;
  bool done_ = false;
};

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

/// An input without a name of its own: one of an anonymous bundle, which is written unpacked.
std::string nameless(const fs::path& written) {
  const fs::path plain = written.extension() == ".gz" ? written.stem() : written;
  return "input" + plain.extension().string();
}

class Bundle {
 public:
  explicit Bundle(const BundleOptions& options)
      : options_(options), directory_(without_slash(options.directory)), archive_(options.archive) {}

  MadeBundle make() {
    if (std::error_code none; fs::exists(fs::symlink_status(directory_, none))) {
      throw usage_error("exists already", directory_.string(), "give another -o, or remove it");
    }
    require_folders_above(directory_);
    require_sound(options_.archive,
                  "restore the archive from a copy, or run the study again; palstudy verify lists all that is wrong");
    const Study study = parse_study(archive_.resolved_study(), options_.archive.string() + ":/study/resolved");
    inputs_ = find_inputs(archive_, study, options_.archive);
    const auto on_axes = paths_on_axes(study);
    name_inputs(on_axes);
    if (options_.anonymous) tell_what_is_kept(on_axes);
    FolderAside aside(directory_);
    bundle_ = aside.path();
    if (options_.anonymous) number_names();
    copy_inputs();
    copy_notices();
    write_study();
    copy_archive();
    describe();
    aside.put();
    return {files_.size() + 1, std::move(kept_)};  // the crate does not list itself
  }

 private:
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((bundle_ / file).parent_path());
    write_durably(bundle_ / file, std::as_bytes(std::span(text)));
  }

  BundleFile& list(const std::string& file, const std::string& what) {
    return files_.emplace_back(bundle_file(bundle_, file, what));
  }

  /// Gives each input a distinct file, and a path that tells nothing where the digest does not cover how it is written.
  void name_inputs(const std::set<std::pair<std::string, std::string>>& on_axes) {
    std::set<std::string> taken, covered;
    for (const auto& [key, path] : on_axes) covered.insert(path);
    for (const BundledInput& input : inputs_) {
      if (options_.anonymous) taken.insert(input.written);  // what stands for one path is not that of another
    }
    for (const BundledInput& input : inputs_) {
      const fs::path last = fs::path(input.written).filename();
      const bool named = !options_.anonymous && !last.empty() && last != "." && last != "..";
      const fs::path name = named ? last : fs::path(nameless(input.written));
      std::string file = input.own ? "data/" + input.written : "inputs/" + name.string();
      for (int number = 2; !taken.insert(file).second; ++number) {
        file = fmt::format("inputs/{}-{}{}", name.stem().string(), number, name.extension().string());
      }
      const bool removed = options_.anonymous && !input.own && !covered.contains(input.written);
      if (removed) removed_[input.written] = file;
      manifest_.inputs.push_back({removed ? file : input.written, file, input.sha256, input.own});
    }
  }

  void tell(const std::string& line) { kept_.push_back("kept: " + line); }

  void tell_names(const std::string& one, const std::string& several, std::vector<std::string> names,
                  const std::string& where) {
    std::erase(names, "");
    if (!names.empty()) tell(fmt::format("the {} {} {}", names.size() == 1 ? one : several, join(names), where));
  }

  /// The digest covers tenants, classes, models and axes.
  void tell_what_is_kept(const std::set<std::pair<std::string, std::string>>& on_axes) {
    for (const auto& [one, several] : {std::pair("tenant", "tenants"), {"class", "classes"}, {"model", "models"}}) {
      if (!archive_.has(TableId::jobs)) break;
      tell_names(one, several, std::get<TextColumn>(archive_.column(TableId::jobs, one)).names, "of the jobs");
    }
    for (const auto& [key, path] : on_axes) {
      if (path.starts_with('/')) {
        throw usage_error(fmt::format("the axis {} has \"{}\", and the digest covers it", key, path),
                          options_.archive.string(), "give it a path relative to the study, and run that");
      }
      tell(fmt::format("the axis {} with \"{}\"", key, path));
    }
  }

  /// Names in a user's own input that its copy keeps: kernels of a profile, sections of a TOML file.
  void tell_names_in(const fs::path& source, const std::string& file) {
    std::vector<std::string> names;
    if (is_profile_file(source)) {
      for (const ProfileKernel& kernel : read_profile(source).kernels) names.push_back(kernel.name);
      return tell_names("kernel", "kernels", names, "in " + file);
    }
    if (!file.ends_with(".toml")) return;
    for (const std::string& line : split(read_text_file(source))) {
      if (line.starts_with('[')) names.push_back(line.substr(0, line.rfind(']') + 1));
    }
    tell_names("section", "sections", names, "in " + file);
  }

  /// By copies that do not stay.
  void number_names() {
    for (const BundledInput& input : inputs_) {
      if (!input.own) (void)copied_anonymously(input.source, "names");
    }
    copy_anonymously(options_.archive, bundle_ / "names", names_);
    fs::remove(bundle_ / "names");
    names_.number();
  }

  /// Whether names could be told from what is no name: in profiles and tables.
  [[nodiscard]] bool copied_anonymously(const fs::path& source, const std::string& file) {
    if (is_profile_file(source)) {
      copy_anonymously(source, bundle_ / file, names_);
      return true;
    }
    const std::string text = read_text_file(source), made = anonymous_records(text, names_);
    write(file, made.empty() ? without_comments(text) : made);
    return !made.empty();
  }

  void copy_inputs() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      BundleManifest::Input& listed = manifest_.inputs[i];
      const fs::path& source = inputs_[i].source;
      const bool whole = listed.own || !options_.anonymous;
      fs::create_directories((bundle_ / listed.file).parent_path());
      if (whole) {
        fs::copy_file(source, bundle_ / listed.file);
      } else {
        if (!copied_anonymously(source, listed.file)) tell(listed.file + ", all but its lines of comments");
        tell_names_in(source, listed.file);
      }
      BundleFile& file = list(listed.file, listed.own ? "data that comes with the program" : "an input of the study");
      if (whole && file.sha256 != listed.sha256)
        throw data_error("changes while it is read", source.string(), "try again");
      listed.sha256 = file.sha256;
      const DataSource from = source_of_data(source);
      if (from.readme.empty()) continue;
      notices_.insert(from.readme);
      file.licence = from.licence;
      file.source = from.url;
    }
  }

  void copy_notices() {
    if (notices_.empty()) return;
    std::error_code none;
    for (const char* notice : {"LICENSE", licence_table}) notices_.insert(notice);
    for (const auto& entry : fs::directory_iterator(data_dir() / "LICENSES", none)) {
      notices_.insert("LICENSES/" + entry.path().filename().string());
    }
    for (const std::string& notice : notices_) {
      if (!fs::is_regular_file(data_dir() / notice, none)) continue;
      write("data/" + notice, read_text_file(data_dir() / notice));
      const bool readme = notice.ends_with(".md");
      list("data/" + notice, readme ? "source and licence of the data beside it" : "the text of a licence").licence =
          readme ? "MIT" : "NONE";
    }
  }

  /// The study with the paths of the bundle, and the manifest that says what they were. What the archive has to say of
  /// it differs in the paths on axes.
  void write_study() {
    ParsedStudy study = parse_keys(parse_toml(archive_.resolved_study(), options_.archive.string()));
    if (options_.anonymous) {
      study.base.insert_or_assign(keys::study_name, TomlValue::of(std::string("anonymous")));
      study.base.insert_or_assign(keys::study_title, TomlValue::of(std::string()));
      study.base.erase(keys::study_question);
      study.base.erase(keys::study_creator);
    }
    move_paths(study, removed_);
    archived_study_ = study_text(study.base, study.axes);
    std::map<std::string, std::string> into_bundle;
    for (const auto& input : manifest_.inputs) {
      if (!input.own) into_bundle[input.written] = input.file;
    }
    move_paths(study, into_bundle);
    write("study.toml", study_text(study.base, study.axes));
    manifest_.digest = archive_.digest();
    manifest_.anonymous = options_.anonymous;
    keep_ids(parse_study(archived_study_, options_.archive.string()));
    write(bundle_manifest_name, manifest_json(manifest_));
    list("study.toml", "the study with all keys, its paths those of this folder");
    list(bundle_manifest_name, "how the study named its inputs, for palstudy run");
  }

  /// Ids are hashes of what was written, and the digest covers them.
  void keep_ids(const Study& study) {
    const auto numbers = std::get<std::vector<std::int64_t>>(archive_.column(TableId::runs, "run"));
    const auto ids = std::get<TextColumn>(archive_.column(TableId::runs, "id"));
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      const RunPlan& run = study.runs.at(static_cast<std::size_t>(numbers[row]));
      if (run.id != ids.at(row)) manifest_.ids[run.id] = ids.at(row);
    }
  }

  void copy_archive() {
    const fs::path to = bundle_ / bundled_archive_name;
    if (!options_.anonymous) {
      fs::copy_file(options_.archive, to);
    } else {
      std::vector<std::string> inputs;
      for (const auto& input : manifest_.inputs) inputs.push_back(input.sha256 + "  " + input.written);
      Overrides instead{
          {{"study", archived_study_}, {"study.name", "anonymous"}, {"study.title", ""}, {"input_sha256", inputs}},
          archived_study_,
          manifest_.ids,
          removed_};
      if (!archive_.attribute("study.question").empty()) instead.attributes["study.question"] = "";
      copy_anonymously(options_.archive, to, names_, instead);
      if (const auto findings = verify_file(to).findings; !findings.empty()) {
        throw fault("the copy is not sound: " + std::string(findings.front()));
      }
    }
    if (ArchiveReader(to).digest() != manifest_.digest) throw fault("the copy has another digest");
    files_.insert(files_.begin(), bundle_file(bundle_, bundled_archive_name, "the results: runs, jobs, provenance"));
  }

  void describe() {
    BundleFacts facts(bundle_ / bundled_archive_name);
    facts.anonymous = options_.anonymous;
    facts.agent = options_.anonymous ? "anonymous" : owner_of(options_.archive);
    write("artifact-description.md", artifact_description(facts, files_));
    list("artifact-description.md", "the text of an artifact description");
    write(crate_name, ro_crate(facts, files_));
  }

  const BundleOptions& options_;
  fs::path directory_, bundle_;
  ArchiveReader archive_;
  std::vector<BundledInput> inputs_;            ///< in the order of those of the manifest
  std::map<std::string, std::string> removed_;  ///< paths of inputs that nobody may read, and what stands for them
  NumberedNames names_;
  std::vector<std::string> kept_;  ///< what an anonymous bundle keeps as it is, a line each
  std::vector<BundleFile> files_;
  std::set<std::string> notices_;
  BundleManifest manifest_;
  std::string archived_study_;  ///< what the archive of the bundle says that the study was
};

}  // namespace

MadeBundle make_bundle(const BundleOptions& options) {
  try {
    return Bundle(options).make();
  } catch (const fs::filesystem_error& error) {
    const fs::path& target = error.path2().empty() ? error.path1() : error.path2();
    throw data_error(error.code().message(), target.string(), "make room, or give another -o");
  }
}

}  // namespace palstudy
