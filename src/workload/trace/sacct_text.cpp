// SPDX-License-Identifier: MIT
#include "workload/trace/sacct_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/error.hpp"
#include "core/shown_text.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr const char* last_column = "JobName";  // Slurm prints it as it is, with separators and line ends

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// Whether a field begins as an id of Slurm's does, and so a record.
bool begins_record(std::string_view field) {
  return !field.empty() && field[0] >= '0' && field[0] <= '9' &&
         field.find_first_not_of("0123456789_+.[]-:%,abcehinrtvx") == std::string_view::npos;
}

/// What stands behind the first name of a header: all that is no letter and no digit.
std::string separator_of(std::string_view header) {
  const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto* const begin = std::ranges::find_if_not(header, part_of_name);
  const auto* const end = std::find_if(begin, header.end(), part_of_name);
  return {begin, end};
}

/// Each byte of a Latin-1 text is the number of its character.
std::string from_latin_1(const std::string& text) {
  std::string made;
  made.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      made += c;
    } else {
      made += static_cast<char>(0xC0 | byte >> 6);
      made += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return made;
}

}  // namespace

const std::string& sacct_command() {
  static const std::string command =
      "SLURM_TIME_FORMAT=%s sacct -aDXP -S FROM -E TO -o "
      "JobIDRaw,JobID,User,Account,Partition,State,Submit,Eligible,Start,End,ElapsedRaw,Suspended,TimelimitRaw,ReqTRES,"
      "AllocTRES,NNodes,NodeList,Reason,JobName";
  return command;
}

SacctText::SacctText(std::string text, std::string name, std::vector<std::string> columns)
    : name_(std::move(name)), text_(std::move(text)), columns_(std::move(columns)) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
  if (!is_utf8(text_)) {
    text_ = from_latin_1(text_);
    latin_1_ = true;
  }
  if (!columns_.empty()) begin_without_header();
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text_.size();) {
    const std::size_t end = std::min(text_.size(), text_.find('\n', begin));
    std::string_view line(text_.data() + begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number;
    if (!columns_.empty()) {
      add_line(line, number);
    } else if (!line.empty()) {
      read_header(line);
    }
    begin = end + 1;
  }
}

void SacctText::read_header(std::string_view line) {
  const std::string where = name_ + ":1";
  header_ = line;
  separator_ = separator_of(line);
  if (separator_.empty()) throw data_error("has a header of one column", where, "type " + sacct_command());
  const auto fields = fields_of(line);
  const bool named =
      std::ranges::any_of(fields, [](std::string_view field) { return same_name(field.substr(0, 5), "JobID"); });
  if (!named) throw data_error("has no header line with JobID", where, "type " + sacct_command());
  if (separator_.find_first_not_of(' ') == std::string::npos) {
    throw data_error("has columns of fixed width, in which values are cut", where, "type " + sacct_command());
  }
  if (separator_ == ",") {
    throw data_error("has commas between the columns, and AllocTRES has commas in it", where,
                     "type " + sacct_command());
  }
  for (const std::string_view field : fields) columns_.emplace_back(field);
  if (!columns_.empty() && columns_.back().empty()) columns_.pop_back();  // -p
  id_ = find("JobID").value_or(find("JobIDRaw").value_or(0));
}

void SacctText::begin_without_header() {
  const std::string_view line = std::string_view(text_).substr(0, text_.find('\n'));
  const std::string& first = columns_.front();
  if (same_name(line.substr(0, first.size()), first)) {
    throw data_error("has a header line", name_ + ":1", "leave workload.columns out, which is for files without one");
  }
  separator_ = "|";
  for (const char* const other : {"|", "\t", ";", ","}) {
    if (line.find(other) == std::string_view::npos) continue;
    separator_ = other;
    break;
  }
  header_ = "\n";  // which no line is
  id_ = find("JobID").value_or(find("JobIDRaw").value_or(0));
}

/// All fields; of a line with more of them than there are columns the last one has the rest, if that may be.
std::vector<std::string_view> SacctText::fields_of(std::string_view line) const {
  const std::size_t most =
      !columns_.empty() && same_name(columns_.back(), last_column) ? columns_.size() : std::string_view::npos;
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = fields.size() + 1 < most ? line.find(separator_, begin) : std::string_view::npos;
    fields.push_back(line.substr(begin, end - begin));
    if (end == std::string_view::npos) return fields;
    begin = end + separator_.size();
  }
}

void SacctText::add_line(std::string_view line, std::size_t number) {
  if (line == header_) return;  // of a dump that was put behind another one
  std::vector<std::string_view> fields = fields_of(line);
  if (fields.size() == columns_.size() + 1 && fields.back().empty()) fields.pop_back();  // -p
  const bool record = id_ < fields.size() && begins_record(fields[id_]);
  const bool cut = fields.size() < columns_.size();
  if (record && (!cut || fields.size() > 1) && fields.size() <= columns_.size()) {
    if (!cut && same_name(columns_.back(), last_column) && fields.back().ends_with(separator_)) {
      fields.back().remove_suffix(separator_.size());  // -p
    }
    records_.push_back({number, std::move(fields)});
    return;
  }
  if (!records_.empty() && whole(records_.back()) && same_name(columns_.back(), last_column)) {
    std::string_view& rest = records_.back().fields.back();  // its name goes on here
    rest = {rest.data(), static_cast<std::size_t>(line.data() + line.size() - rest.data())};
    return;
  }
  if (line.empty()) return;
  throw data_error(
      fmt::format("{} where there are {}", counted(fields.size(), "field"), counted(columns_.size(), "column")),
      fmt::format("{}:{}", name_, number),
      "a name may have the separator in it: put JobName last, as in " + sacct_command());
}

std::optional<std::size_t> SacctText::find(std::string_view name) const {
  const auto at = std::ranges::find_if(columns_, [&](const std::string& one) { return same_name(one, name); });
  return at == columns_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - columns_.begin()));
}

}  // namespace palstudy
