// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/tables/list_tables.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

struct ExplainOptions {
  std::string id;
  bool json = false, markdown = false;
};

void print_sections() {
  for (const NoteKind* kind : NoteKind::all()) {
    const NoteWords::Entry& words = note_words().entries().at(kind->id());
    fmt::print("\n## {}\n\n{} ({}, {})\n\n{}\n", kind->id(), words.summary, words.family, name_of(kind->severity()),
               words.explanation);
  }
}

const NoteKind& kind_of(const std::string& id) {
  std::vector<std::string> known;
  for (const NoteKind* kind : NoteKind::all()) {
    if (kind->id() == id) return *kind;
    known.emplace_back(kind->id());
  }
  throw usage_error("no note is called \"" + id + "\"" + suggestion(id, known), "explain",
                    "palstudy explain lists all of them");
}

int explain(const ExplainOptions& options) {
  if (options.markdown) {
    print_sections();
    return 0;
  }
  if (options.id.empty()) {
    const TextTable notes = list_table("notes");
    fmt::print("{}", options.json ? to_json(notes) : to_text(notes, screen_columns()));
    return 0;
  }
  const NoteKind& kind = kind_of(options.id);
  const NoteWords::Entry& words = note_words().entries().at(options.id);
  if (options.json) {
    const nlohmann::ordered_json json = {{"id", options.id},
                                         {"family", words.family},
                                         {"severity", name_of(kind.severity())},
                                         {"summary", words.summary},
                                         {"text", words.explanation}};
    fmt::print("{}\n", json.dump(2));
    return 0;
  }
  fmt::print("{} ({}, {})\n{}\n\n{}", options.id, words.family, name_of(kind.severity()), words.summary,
             to_text({{words.explanation}, {}}, screen_columns()));
  return 0;
}

std::function<int()> set_up_explain(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<ExplainOptions>();
  app.add_option("NOTE", options->id, "the id of a note, such as overloaded; all notes, a line each, without it");
  auto* json = app.add_flag("--json", options->json, "print JSON: id, family, severity, summary, text");
  app.add_flag("--markdown", options->markdown, "all notes, for documentation")->excludes(json);
  return [options] { return explain(*options); };
}

}  // namespace

void register_command_explain(CommandRegistry& registry) {
  registry.add({"explain", "Say what a note means, why it matters and what to do", {}, set_up_explain});
}

}  // namespace palstudy
