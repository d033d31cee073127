// SPDX-License-Identifier: MIT
#include "study/slurm_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Whether backslashes before a place stand for what stands there: an odd number of them.
bool is_escaped(const std::string& line, std::size_t at) {
  std::size_t first = at;
  while (first > 0 && line[first - 1] == '\\') --first;
  return (at - first) % 2 == 1;
}

void take_spaces_off(std::string& line) {
  while (!line.empty() && is_space(line.back())) line.pop_back();
}

/// Takes the comment off a line of the file and gives it back.
std::string comment_of(std::string& line) {
  for (auto at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1)) {
    if (is_escaped(line, at)) continue;
    std::string comment = line.substr(at);
    line.erase(at);
    take_spaces_off(comment);
    return comment;
  }
  return {};
}

/// Reads the settings of a line from left to right.
class SettingsOfLine {
 public:
  explicit SettingsOfLine(const SlurmLine& line) : text_(line.text), where_(line.where) {}

  std::vector<SlurmSetting> take() {
    std::vector<SlurmSetting> settings;
    for (skip_spaces(); at_ < text_.size(); skip_spaces()) settings.push_back(next());
    return settings;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  SlurmSetting next() {
    SlurmSetting setting;
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '=' && !is_space(text_[at_])) ++at_;
    setting.name = text_.substr(begin, at_ - begin);
    skip_spaces();
    if (in_small_letters(setting.name) == "include" && (at_ == text_.size() || text_[at_] != '=')) {
      setting.name = "Include";
      setting.value_begin = at_;
      setting.end = at_ = text_.size();
      setting.value = text_.substr(setting.value_begin);
      return setting;
    }
    if (setting.name.empty() || at_ == text_.size() || text_[at_] != '=') {
      const std::string word = setting.name.empty() ? text_.substr(begin) : setting.name;
      throw data_error(fmt::format("\"{}\" is no setting", word), where_, "a name, an equals sign and a value");
    }
    ++at_;
    skip_spaces();
    read_value(setting);
    return setting;
  }

  void read_value(SlurmSetting& setting) {
    setting.value_begin = at_;
    for (bool quoted = false; at_ < text_.size() && (quoted || !is_space(text_[at_])); ++at_) {
      if (text_[at_] == '"')
        quoted = !quoted;
      else
        setting.value += text_[at_];
    }
    setting.end = at_;
  }

  const std::string& text_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

std::string in_small_letters(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<SlurmLine> slurm_lines(const std::string& text, const std::string& name) {
  std::vector<SlurmLine> lines;
  SlurmLine line;
  const auto end_line = [&](std::size_t number) {
    line.where = fmt::format("{}:{}", name, number);
    take_spaces_off(line.text);
    line.settings = SettingsOfLine(line).take();
    if (!line.settings.empty()) lines.push_back(std::move(line));
    line = {};
  };
  std::size_t number = 0;
  for (std::string one : split(text)) {
    ++number;
    take_spaces_off(one);  // a carriage return too
    line.written += (line.written.empty() ? "" : "\n") + one;
    if (const std::string comment = comment_of(one); !comment.empty()) {
      line.comment += (line.comment.empty() ? "" : " ") + comment;
    }
    take_spaces_off(one);
    const bool goes_on = is_escaped(one, one.size());
    if (goes_on) one.pop_back();
    line.text += one;
    if (!goes_on) end_line(number);
  }
  if (!line.written.empty()) end_line(number);
  return lines;
}

}  // namespace palstudy
