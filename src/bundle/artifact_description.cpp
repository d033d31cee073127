// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bundle/bundle_facts.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

std::string size_text(std::uintmax_t bytes) {
  return fmt::format("{:.3g} MiB ({} bytes)", static_cast<double>(bytes) / mib, bytes);
}

std::string artifacts(const std::vector<BundleFile>& files) {
  std::string text = "| file | what | size | SHA-256 |\n|---|---|---:|---|\n";
  for (const BundleFile& file : files) {
    text += fmt::format("| `{}` | {} | {} | `{}` |\n", file.path, file.what, file.bytes, file.sha256);
  }
  return text;
}

std::string licences(const std::vector<BundleFile>& files) {
  std::string text;
  for (const BundleFile& file : files) {
    const bool facts = file.licence == "NONE" && !file.path.starts_with("data/LICENSE");
    if ((file.licence.empty() && file.source.empty()) || (file.licence == "NONE" && !facts)) continue;
    text += fmt::format("* `{}`: {}{}\n", file.path,
                        facts ? "facts, without a licence; cite what the README beside it names" : file.licence,
                        file.source.empty() ? "" : ", from <" + file.source + ">");
  }
  return text.empty() ? "No input came from elsewhere with a licence that is known.\n" : text;
}

}  // namespace

std::string artifact_description(const BundleFacts& facts, const std::vector<BundleFile>& files) {
  std::uintmax_t bytes = 0, archive_bytes = 0;
  for (const BundleFile& file : files) {
    bytes += file.bytes;
    if (file.path == "archive.h5") archive_bytes = file.bytes;
  }
  std::string text = fmt::format("# Artifact description: {}\n\n", facts.at("study.name"));
  if (!facts.at("study.title").empty()) text += facts.at("study.title") + "\n\n";
  text +=
      "Made by `palstudy bundle` from the provenance in the archive. What a paper adds: which of its figures and "
      "tables\n"
      "each command below stands behind.\n\n";
  if (facts.anonymous) {
    text +=
        "Hosts, users, accounts, paths and device names are numbered or removed in all files; equal numbers were equal "
        "names.\n\n";
  }
  text += "## A.1 The artifact\n\n";
  text +=
      fmt::format("A simulation study of {} ({} failed) over the axes {}. In all {}.\n\n", counted(facts.runs, "run"),
                  facts.failed, facts.axes.empty() ? "none but the seed" : join(facts.axes), size_text(bytes));
  text += artifacts(files);
  text += "\n## A.2 How it was computed\n\n";
  text += "| | |\n|---|---|\n";
  const auto row = [&](const char* what, const std::string& value) {
    text += fmt::format("| {} | {} |\n", what, value);
  };
  row("program", fmt::format("palstudy {}, commit {}", facts.at("program_version"), facts.at("program_commit")));
  row("compiler", fmt::format("{}, `{}`", facts.at("compiler"), facts.at("compiler_flags")));
  row("MPI", facts.at("mpi_version").empty() ? "none" : facts.at("mpi_version"));
  row("HDF5", facts.at("hdf5_version"));
  row("host", fmt::format("{}{}", facts.at("host"),
                          facts.nodes > 1 ? fmt::format(" and others, up to {} nodes", facts.nodes) : ""));
  row("ranks", facts.ranks > 0 ? std::to_string(facts.ranks) : facts.at("ranks"));
  row("from, to (UTC)", facts.at("start_utc") + ", " + facts.at("end_utc"));
  row("core-hours",
      fmt::format("{:.4g}{}", facts.core_hours, facts.starts > 1 ? fmt::format(" in {} starts", facts.starts) : ""));
  row("archive", fmt::format("{}, {}", facts.at("schema"), size_text(archive_bytes)));
  text += fmt::format("\nCommand:\n\n    {}\n", facts.at("command_line"));
  text +=
      "\n## A.3 To check it without computing\n\n"
      "    palstudy verify archive.h5      # schema, checksums, digests, metrics against rows\n"
      "    palstudy digest archive.h5\n"
      "    palstudy compare archive.h5     # the tables of the results\n\n"
      "Any HDF5 reader opens the archive (h5py, xarray, h5dump); every dataset says its units and what it is.\n";
  text += fmt::format(
      "\n## A.4 To compute it again\n\n"
      "Build palstudy {} (commit {}); no GPU is needed. About {:.3g} core-hours, {} of disk. In this folder:\n\n"
      "    mpirun -n 4 palstudy run . -o ../again.h5    # on any number of ranks\n"
      "    palstudy diff archive.h5 ../again.h5         # identical\n"
      "    palstudy digest ../again.h5\n\n"
      "Expected digest:\n\n    {}\n\n",
      facts.at("program_version"), facts.at("program_commit"), facts.core_hours, size_text(2 * archive_bytes),
      facts.at("digest"));
  text +=
      "Reproduced means: `identical`, with the same binary on the same kind of processor, whatever the number of "
      "ranks. Another\n"
      "compiler or processor may round otherwise; then `same schedule` (all jobs start and end alike) or `within "
      "intervals`\n"
      "(the 95 % intervals of every compared mean overlap) is what `diff` has to say.\n";
  text += "\n## A.5 Sources and licences\n\n" + licences(files);
  if (!facts.at("notes").empty()) {
    text += "\n## A.6 What was said of the inputs\n\n";
    text += facts.at("notes") + "\n";
  }
  return text;
}

}  // namespace palstudy
