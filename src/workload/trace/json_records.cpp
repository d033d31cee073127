// SPDX-License-Identifier: MIT
#include "workload/trace/json_records.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace palstudy {
namespace {

class Scanner {
 public:
  Scanner(std::string_view json, const std::string& name) : json_(json), name_(name) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (json_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  /// What is next behind white space; 0 at the end.
  char next() {
    while (at_ < json_.size() &&
           (json_[at_] == ' ' || json_[at_] == '\t' || json_[at_] == '\r' || json_[at_] == '\n')) {
      step();
    }
    return at_ < json_.size() ? json_[at_] : '\0';
  }
  void step() { line_ += json_[at_++] == '\n' ? 1 : 0; }
  void expect(char wanted) {
    if (next() != wanted) refuse(fmt::format("expected \"{}\" here", wanted), line_);
    step();
  }

  /// The object that begins here, past its end.
  std::string_view object() {
    const std::size_t begin = at_, first_line = line_;
    int depth = 0;
    do {
      if (at_ == json_.size()) refuse("this record is not closed", first_line);
      const char c = json_[at_];
      if (c == '"') {
        skip_string();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      step();
    } while (depth > 0);
    return json_.substr(begin, at_ - begin);
  }

  [[nodiscard]] std::size_t line() const { return line_; }
  [[noreturn]] void refuse(const std::string& what, std::size_t line) const {
    throw data_error(what, fmt::format("{}:{}", name_, line),
                     "the file has to be a JSON array of records, [{...}, ...]");
  }

 private:
  void skip_string() {
    const std::size_t first_line = line_;
    step();
    while (at_ < json_.size() && json_[at_] != '"') {
      if (json_[at_] == '\\') step();
      if (at_ < json_.size()) step();
    }
    if (at_ == json_.size()) refuse("a text that begins here is not closed", first_line);
    step();
  }

  std::string_view json_;
  const std::string& name_;
  std::size_t at_ = 0, line_ = 1;
};

}  // namespace

void for_each_object(std::string_view json, const std::string& name,
                     const std::function<void(std::string_view text, std::size_t line)>& take) {
  Scanner scanner(json, name);
  scanner.expect('[');
  bool first = true;
  while (scanner.next() != ']') {
    if (!first) scanner.expect(',');
    first = false;
    if (scanner.next() != '{') scanner.refuse("expected a record here", scanner.line());
    const std::size_t line = scanner.line();
    take(scanner.object(), line);
  }
  scanner.step();
  if (scanner.next() != '\0') scanner.refuse("more text behind the array", scanner.line());
}

}  // namespace palstudy
