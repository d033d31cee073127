// SPDX-License-Identifier: MIT
#include "measure/completed_repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace palstudy {

Mark mark_of(const MeasuredRepeat& measured, std::size_t kernel) {
  const BatchSummary batch = summarize(measured.repeat.batch_ms);
  const auto launches = static_cast<double>(measured.repeat.launches);
  return {measured.gpu.uuid, kernel, static_cast<std::size_t>(measured.repeat.repeat), batch.median / launches,
          batch.mad / launches};
}

std::vector<Mark> marks_of(const Measured& measured, const std::vector<ChosenKernel>& kernels) {
  std::vector<Mark> marks;
  for (const MeasuredRepeat& each : measured.repeats) {
    const auto place = std::find_if(kernels.begin(), kernels.end(), [&](const ChosenKernel& kernel) {
      return kernel.record.name == each.kernel.name && kernel.record.params == each.kernel.params;
    });
    if (place == kernels.end()) continue;
    marks.push_back(mark_of(each, static_cast<std::size_t>(place - kernels.begin())));
  }
  return marks;
}

std::string marks_text(const std::vector<Mark>& marks) {
  std::string text;
  for (const Mark& mark : marks) {
    text += fmt::format("{} {} {} {} {}\n", mark.uuid, mark.kernel, mark.repeat, mark.median_ms, mark.mad_ms);
  }
  return text;
}

std::vector<Mark> parse_marks(const std::string& text) {
  std::vector<Mark> marks;
  std::istringstream in(text);
  for (Mark mark; in >> mark.uuid >> mark.kernel >> mark.repeat >> mark.median_ms >> mark.mad_ms;) {
    marks.push_back(mark);
  }
  return marks;
}

std::size_t reruns_of_gpu(std::size_t kernels, std::size_t repeats) { return (kernels * repeats + 4) / 5; }

WorkList::WorkList(const std::string& uuid, std::size_t kernels, const Protocol& protocol,
                   const std::vector<Mark>& marks)
    : protocol_(protocol), uuid_(uuid), marks_(kernels) {
  for (const Mark& mark : marks) add(mark);
}

bool WorkList::done(std::size_t kernel, std::size_t repeat) const {
  const auto& marks = marks_.at(kernel);
  return std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) { return mark.repeat == repeat; });
}

void WorkList::add(const Mark& mark) {
  if (mark.uuid == uuid_) marks_.at(mark.kernel).push_back(mark);
}

std::size_t WorkList::reruns(std::size_t kernel) const {
  const auto& marks = marks_.at(kernel);
  return static_cast<std::size_t>(
      std::count_if(marks.begin(), marks.end(), [&](const Mark& mark) { return mark.repeat >= protocol_.repeats; }));
}

bool WorkList::wants_rerun(std::size_t kernel, std::size_t attempt) const {
  std::size_t all = 0;
  for (std::size_t k = 0; k < marks_.size(); ++k) all += reruns(k);
  if (marks_.at(kernel).empty()) return false;  // it was left out
  if (reruns(kernel) != attempt || attempt >= reruns_of_kernel) return false;
  if (all >= reruns_of_gpu(marks_.size(), protocol_.repeats)) return false;
  std::vector<double> medians, scatter;
  for (const Mark& mark : marks_.at(kernel)) {
    medians.push_back(mark.median_ms);
    scatter.push_back(mark.mad_ms);
  }
  const auto off = unstable_repeats(medians, scatter, protocol_);
  return std::find(off.begin(), off.end(), true) != off.end();
}

}  // namespace palstudy
