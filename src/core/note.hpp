// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/value.hpp"

namespace palstudy {

enum class Severity {
  stop,  ///< no claim may be made
  care,  ///< it changes what may be concluded
  info
};
[[nodiscard]] const char* name_of(Severity severity);

/// One thing that a reader should know about a result. words/ makes its sentence.
struct Note {
  std::string id;  ///< one or two words: "few-jobs"
  Severity severity = Severity::care;
  std::string subject;  ///< what it is of, where there may be several of one id; else ""
  ValueRecord values;

  /// Errors (fault): there is no value of this name.
  [[nodiscard]] const Value& operator[](std::string_view name) const;
  friend bool operator==(const Note&, const Note&) = default;
};

/// Declares a note, in the file that finds it: `const NoteKind few_jobs("few-jobs", Severity::care);`. A file of
/// words/notes/ has the sentence of each; `palstudy list notes` lists all that are declared in the program.
class NoteKind {
 public:
  NoteKind(const char* id, Severity severity) noexcept : id_(id), severity_(severity), next_(first) { first = this; }
  NoteKind(const NoteKind&) = delete;
  NoteKind& operator=(const NoteKind&) = delete;
  NoteKind(NoteKind&&) = delete;
  NoteKind& operator=(NoteKind&&) = delete;
  ~NoteKind() = default;

  [[nodiscard]] const char* id() const { return id_; }
  [[nodiscard]] Severity severity() const { return severity_; }
  /// A note of this kind.
  [[nodiscard]] Note operator()(ValueRecord values, std::string subject = "") const;
  /// All that the program declares, by id.
  [[nodiscard]] static std::vector<const NoteKind*> all();

 private:
  inline static constinit const NoteKind* first = nullptr;  // linked, since nothing may be allocated before main begins
  const char* id_;
  Severity severity_;
  const NoteKind* next_;
};

/// Adds a note unless an equal one is there.
void add_once(std::vector<Note>& notes, Note note);

/// The first note of this id, and of this subject if one is given; or null.
[[nodiscard]] const Note* find(const std::vector<Note>& notes, std::string_view id, std::string_view subject = "");

}  // namespace palstudy
