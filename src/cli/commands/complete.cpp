// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "archive/export.hpp"
#include "cli/command.hpp"
#include "cli/experiments.hpp"
#include "cli/tables/list_tables.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

/// A word that may stand next on the command line, and what it is, in a few words or none.
struct NextWord {
  std::string word, summary;
};
using NextWords = std::vector<NextWord>;

std::string first_sentence(const std::string& text) { return text.substr(0, text.find_first_of(";\n")); }

NextWords of_kind(const std::string& kind) {
  const TextTable table = list_table(kind);
  const auto summary = std::ranges::find(table.header, "summary") - table.header.begin();
  NextWords all;
  for (const auto& row : table.rows) {
    const auto at = static_cast<std::size_t>(summary);
    all.push_back({row.front(), at < row.size() ? row[at] : ""});
  }
  return all;
}

NextWords plain(const std::vector<std::string>& words) {
  NextWords all;
  for (const auto& word : words) all.push_back({word, ""});
  return all;
}

/// KEY= of every key, or KEY=VALUE of every choice of the key that `word` names.
NextWords assignments(const std::string& word) {
  const auto equals = word.find('=');
  NextWords all;
  if (equals == std::string::npos) {
    for (const Key& key : all_keys()) all.push_back({key.name + "=", key.summary});
    return all;
  }
  const std::string key = word.substr(0, equals);
  const Key* known = find_key(key);
  if (known == nullptr) return {};
  std::vector<std::string> values = known->choices;
  if (known->type == KeyType::boolean) values = {"true", "false"};
  for (const auto& value : values) all.push_back({key + "=" + value, ""});
  return all;
}

NextWords metrics() {
  NextWords all = of_kind("metrics");
  all.insert(all.end(),
             {{"all", "every metric"}, {"causes", "the time by cause"}, {"outcomes", "what became of jobs"}});
  return all;
}

NextWords splits() {
  NextWords all = plain({"none", "class", "size", "tenant", "user", "model", "cluster.slowdown_max>"});
  for (const Key& key : all_keys()) all.push_back({key.name, key.summary});
  return all;
}

/// "{csv,json}" in the type of an option that takes one of these.
NextWords listed_choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return plain(CLI::detail::split(type.substr(open + 1, close - open - 1), ','));
}

/// What an option, or an argument without one, may be; none: a file, a number, or a text of the user's own.
NextWords values(const CLI::Option& option, const std::string& word) {
  static const std::map<std::string, NextWords (*)()> by_name = {
      {"KIND", [] { return plain(list_kinds()); }},
      {"NAME", [] { return plain(experiment_names()); }},
      {"--kernel", [] { return of_kind("kernels"); }},
      {"--metric", metrics},
      {"--baseline", [] { return of_kind("placements"); }},
      {"--policy", [] { return of_kind("placements"); }},
      {"--by", splits},
      {"--table", [] { return plain(exported_tables()); }},
      {"--backend",
       [] {
         return plain({"cuda", "host"});
       }},
  };
  const std::string name = (option.get_positional() ? "" : "--") + option.get_single_name();
  if (name == "--set" || name == "--against") return assignments(word);
  if (const NextWords listed = listed_choices(option); !listed.empty()) return listed;
  const auto found = by_name.find(name);
  return found == by_name.end() ? NextWords{} : found->second();
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

const CLI::Option* option_named(const CLI::App& app, const std::string& word) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) continue;
    if (word.starts_with("-") && option->check_name(word)) return option;
  }
  return nullptr;
}

const CLI::App* command_named(const CLI::App& app, const std::string& word) {
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_name() == word) return sub;
  }
  return nullptr;
}

NextWords options_of(const CLI::App& app) {
  NextWords all;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames())
      all.push_back({"--" + name, first_sentence(option->get_description())});
    for (const auto& name : option->get_snames())
      all.push_back({"-" + name, first_sentence(option->get_description())});
  }
  return all;
}

NextWords commands_of(const CLI::App& app) {
  NextWords all;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!sub->get_group().empty()) all.push_back({sub->get_name(), sub->get_description()});  // the others are hidden
  }
  return all;
}

NextWords arguments_of(const CLI::App& app, const std::string& word) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) return values(*option, word);
  }
  return {};
}

/// What may stand in place of the last of `words`, which follow the name of the program; none where a file is wanted.
/// Sub-commands and options are those of `program`; names of policies, readers, keys, ... are those of the registries.
NextWords complete(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  const CLI::Option* waiting = nullptr;  // an option whose value comes next
  const std::string last = words.empty() ? "" : words.back();
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool value = waiting != nullptr;
    waiting = nullptr;
    if (value) continue;
    if (const CLI::App* sub = command_named(*app, words[i])) {
      app = sub;
    } else if (const CLI::Option* option = option_named(*app, words[i]); option != nullptr && takes_value(*option)) {
      waiting = option;
    }
  }
  NextWords all = waiting != nullptr      ? values(*waiting, last)
                  : last.starts_with("-") ? options_of(*app)
                                          : commands_of(*app);
  if (waiting == nullptr && !last.starts_with("-") && all.empty()) all = arguments_of(*app, last);
  std::erase_if(all, [&](const NextWord& one) { return !one.word.starts_with(last); });
  return all;
}

std::function<int()> set_up_complete(CLI::App& app, const CommandContext&) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("WORD", *words, "the words behind palstudy, the last of which is to be completed")
      ->required()
      ->expected(1, -1);
  app.group("");  // for shells, not for people
  return [&app, words] {
    for (const auto& [word, summary] : complete(*app.get_parent(), *words)) fmt::print("{}\t{}\n", word, summary);
    return 0;
  };
}

}  // namespace

void register_command_complete(CommandRegistry& registry) {
  registry.add(
      {"complete", "Print what may stand next on a command line, for the completion of shells", {}, set_up_complete});
}

}  // namespace palstudy
