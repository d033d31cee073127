// SPDX-License-Identifier: MIT
#include "workload/trace/site_fields.hpp"

#include <algorithm>
#include <string>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "workload/trace/job_fields.hpp"

namespace palstudy {
namespace {

constexpr std::size_t calendar_chars = 19;  // of 2026-09-01T12:00:00

constexpr std::int64_t most_counted = 1'000'000'000;  // more GPUs are as wrong as these

/// A whole number of at most twelve digits, without a sign.
std::optional<double> digits_of(std::string_view text) {
  constexpr std::size_t most_digits = 12;
  const bool digits = !text.empty() && text.size() <= most_digits &&
                      std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? parse_double(text) : std::nullopt;
}

/// "+01:00", "+0100", "Z" in seconds east of Greenwich.
std::optional<double> zone_s(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  std::string digits(text.substr(1));
  std::erase(digits, ':');
  if (digits.size() == 2) digits += "00";
  if (digits.size() != 4 || !digits_of(digits)) return std::nullopt;
  const double east = hour_s * *digits_of(digits.substr(0, 2)) + minute_s * *digits_of(digits.substr(2));
  return text[0] == '-' ? -east : east;
}

/// Takes ".25" off the front of a text.
std::optional<double> take_fraction(std::string_view& text) {
  if (text.empty() || text[0] != '.') return 0;
  const std::size_t end = std::min(text.size(), text.find_first_not_of("0123456789", 1));
  if (end == 1) return std::nullopt;
  const auto fraction = parse_double(text.substr(0, end));
  text.remove_prefix(end);
  return fraction;
}

/// Whether a type of GPU is a slice, such as 1g.10gb.
bool is_slice(std::string_view type) {
  const auto g = type.find('g');
  return g != std::string_view::npos && g > 0 && digits_of(type.substr(0, g)).has_value() &&
         type.find("gb") != std::string_view::npos;
}

}  // namespace

std::optional<SiteTime> site_time(std::string_view text) {
  if (const auto number = parse_double(text)) return *number >= 0 ? std::optional(SiteTime{*number}) : std::nullopt;
  if (text.size() < calendar_chars) return std::nullopt;
  const auto day = calendar_s(text.substr(0, calendar_chars));
  text.remove_prefix(calendar_chars);
  const auto fraction = take_fraction(text);
  if (!day || !fraction) return std::nullopt;
  if (text.empty()) return SiteTime{*day + *fraction, true};
  const auto east = zone_s(text);
  return east ? std::optional(SiteTime{*day + *fraction - *east}) : std::nullopt;
}

std::optional<double> slurm_span_s(std::string_view text) {
  if (const auto minutes = digits_of(text)) return minute_s * *minutes;
  double days = 0;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    const auto whole = digits_of(text.substr(0, dash));
    if (!whole) return std::nullopt;
    days = *whole;
    text.remove_prefix(dash + 1);
  }
  double seconds = 0;
  std::size_t parts = 0;
  for (const std::string& part : split(std::string(text), ':')) {
    const auto number = digits_of(part);
    if (!number) return std::nullopt;
    seconds = minute_s * seconds + *number;
    ++parts;
  }
  return parts == 3 ? std::optional(day_s * days + seconds) : std::nullopt;
}

SlurmGpus slurm_gpus(std::string_view list) {
  SlurmGpus found;
  std::int64_t typed = 0;
  std::optional<std::int64_t> total;
  for (const std::string& entry : split(std::string(list), ',')) {
    std::string_view name(entry);
    if (name.starts_with("gres/")) name.remove_prefix(5);
    const std::size_t mark = name.find('=') != std::string_view::npos ? name.find('=') : name.rfind(':');
    if (mark == std::string_view::npos) continue;
    const auto count = parse_integer(name.substr(mark + 1));
    name = name.substr(0, mark);
    const std::string_view kind = name.substr(0, name.find(':')),
                           type = name.substr(std::min(name.size(), kind.size() + 1));
    if (kind == "shard" || kind == "mps" || (kind == "gpu" && is_slice(type))) {
      found.shares = true;
    } else if (kind == "gpu" && count && *count >= 0) {
      std::int64_t& sum = type.empty() ? total.emplace(total.value_or(0)) : typed;
      sum = std::min(most_counted, sum + std::min<std::int64_t>(*count, most_counted));
    }
  }
  found.whole = total.value_or(typed);
  return found;
}

}  // namespace palstudy
