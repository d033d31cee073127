// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"

namespace palstudy {

/// A study, or the files of a site that a study is made of.
struct SiteOptions {
  std::string study;
  std::vector<std::string> overrides;
  std::string trace, profile, nodes, output = "site.toml";
};

/// Adds STUDY, --set, --trace, --profile, --nodes and -o.
void add_site_options(CLI::App& app, SiteOptions& options);

/// The study: the one that is given, or else the one that is written from the files. Errors (usage): neither is given,
/// or both, or some of the files.
[[nodiscard]] std::string study_of_site(const SiteOptions& options, const CommandContext& context);

}  // namespace palstudy
