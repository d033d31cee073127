// SPDX-License-Identifier: MIT
#include "cli/tables/profile_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "cli/tables/text_table.hpp"
#include "core/text.hpp"
#include "inputs/profile/profile_files.hpp"
#include "kernels/protocol.hpp"
#include "stats/descriptive.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "variability/profile/profile_summary.hpp"
#include "variability/sources/reliability.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

constexpr std::size_t most_named = 5;  // nodes, and GPUs
constexpr double far_off = 0.1;        // a GPU that is less than so much slower is called slow, and no outlier

/// A measurement of a bundled machine without the name of the machine.
std::string kernel_name(const std::string& measurement, const std::string& profile) {
  return measurement.starts_with(profile + "-") ? measurement.substr(profile.size() + 1) : measurement;
}

double width_of_most(const KernelSummary& kernel) { return 100 * (kernel.p95 - kernel.p5); }

std::string stays_slow(double correlation) {
  if (std::isnan(correlation)) return "not known";
  return fmt::format("{}, r = {:.2f}", correlation < least_split_half ? "no" : "yes", correlation);
}

bool far_outlier(const Outlier& one) { return one.slowdown > 1 + far_off; }

std::size_t confirmed_outliers(const Measurements& measured) {
  const auto outliers = find_outliers(measured);
  return static_cast<std::size_t>(
      std::ranges::count_if(outliers, [](const Outlier& one) { return far_outlier(one) && one.confirmed(); }));
}

struct ShownKernel {
  const Measurements* measured;
  KernelSummary summary;
  double correlation;
};

std::string profile_head(const std::vector<ShownKernel>& kernels, const std::string& name) {
  double least = INFINITY, most = 0;
  std::size_t slow = 0, known = 0, confirmed = 0;
  for (const ShownKernel& kernel : kernels) {
    least = std::min(least, width_of_most(kernel.summary));
    most = std::max(most, width_of_most(kernel.summary));
    slow += kernel.correlation >= least_split_half ? 1 : 0;
    known += std::isnan(kernel.correlation) ? 0 : 1;
    confirmed = std::max(confirmed, confirmed_outliers(*kernel.measured));
  }
  const std::string width =
      kernels.size() == 1 ? fmt::format("{:.2g} %", most) : fmt::format("{:.2g} to {:.2g} %, by kernel", least, most);
  std::string stay = "whether slow GPUs stay slow is not known";
  if (known > 0) {
    stay = fmt::format("slow GPUs stay slow in {} of {}", slow, counted(known, "kernel"));
    if (slow == 0 && confirmed > 0) stay += fmt::format(", but for {}", counted(confirmed, "confirmed outlier"));
  }
  return fmt::format("{}: the middle 90 % of GPUs span {}; {}", name, width, stay);
}

TextTable table_of_kernels(const std::vector<ShownKernel>& kernels, const std::string& name) {
  TextTable table{
      {"kernel", "classes", "stays slow", "GPUs", "nodes", "5 to 95 % of GPUs", "slowest", "over 1.10"}, {}, 3};
  const auto classes = classes_of_measurements();
  for (const auto& [measured, s, correlation] : kernels) {
    const auto own = classes.find(s.name);
    table.rows.push_back({kernel_name(s.name, name), own == classes.end() ? "-" : own->second, stays_slow(correlation),
                          grouped(s.gpus), grouped(s.nodes), fmt::format("{:.3f} to {:.3f}", s.p5, s.p95),
                          fmt::format("{:.3f}", s.largest), grouped(s.over_10_percent)});
  }
  return table;
}

/// "1.225 (3 of 3 sessions)".
std::string outlier_text(const Outlier& one, const std::string& profile) {
  const std::string sessions =
      one.sessions < 2 ? "" : fmt::format(" (in {} of {} sessions)", one.sessions_off, one.sessions);
  return fmt::format("{} {:.3f}{}", kernel_name(one.id, profile), one.slowdown, sessions);
}

/// What is to be thought of GPUs that are off the median by more than chance: few per cent are no fault.
std::string verdict_on(const std::vector<Outlier>& slow, std::size_t confirmed, const std::string& kernel) {
  const auto count = static_cast<std::size_t>(std::ranges::count_if(slow, far_outlier));
  if (count == 0) return fmt::format("no GPU is over 10 % slower than the median in {}: no outlier", kernel);
  return fmt::format("{} of {}, over 10 % slower than the median and over {} deviations off; {} by a second session",
                     counted(count, "outlier"), kernel, outlier_deviations,
                     confirmed == 0 ? "none is confirmed" : fmt::format("{} confirmed", confirmed));
}

/// The slowest GPUs and nodes of a kernel, and what is to be thought of them.
std::string slowest_of(const ShownKernel& kernel, const std::string& name, std::size_t columns) {
  std::vector<std::string> nodes, gpus;
  for (const NodeSummary& node : summarize_nodes(*kernel.measured)) {
    if (nodes.size() < most_named) nodes.push_back(fmt::format("{} {:.3f}", node.host, node.median));
  }
  std::vector<Outlier> slow = find_outliers(*kernel.measured);
  std::erase_if(slow, [](const Outlier& one) { return one.slowdown <= 1; });
  for (std::size_t i = 0; i < std::min(most_named, slow.size()); ++i) gpus.push_back(outlier_text(slow[i], name));
  const std::string of = kernel_name(kernel.summary.name, name);
  std::string text;
  if (!gpus.empty()) text += paragraph("slowest GPUs, " + of + "   ", join(gpus), columns);
  if (!nodes.empty()) text += paragraph("slowest nodes, " + of + "   ", join(nodes), columns);
  return text + paragraph("", verdict_on(slow, confirmed_outliers(*kernel.measured), of), columns);
}

/// How far GPUs of the machines that come with the program differ, in their most different kernel.
std::string carried_text(const std::string& name, std::size_t columns) {
  std::vector<std::string> machines;
  for (const std::string& machine : bundled_machines()) {
    if (name.starts_with(machine)) continue;
    double most = 0;
    for (const Measurements& one : load_profile(machine).measured) {
      most = std::max(most, width_of_most(summarize(one)));
    }
    machines.push_back(fmt::format("{} {:.2g} %", machine, most));
  }
  return paragraph("to compare: ", join(machines) + ", in the kernel that differs most", columns);
}

std::string notes_line(const std::vector<Note>& notes, std::size_t columns) {
  if (notes.empty()) return "";
  const auto heaviest = std::ranges::min_element(notes, {}, &Note::severity);
  return paragraph("notes: ", fmt::format("{}; palstudy explain {}", ids_text(notes), heaviest->id), columns);
}

/// "1 contended, 2 starved": how many repeats have each flag.
std::string flags_text(const std::vector<const ProfileRepeat*>& repeats) {
  std::map<std::string, int> counts;
  for (const ProfileRepeat* repeat : repeats) {
    for (std::uint32_t bit = 1; bit <= RepeatFlag::wrong; bit <<= 1U) {
      if ((repeat->flags & bit) != 0) ++counts[flag_names(bit)];
    }
  }
  std::vector<std::string> texts;
  for (const auto& [name, count] : counts) texts.push_back(fmt::format("{} {}", count, name));
  return join(texts);
}

double median_ms(const ProfileRepeat& repeat) {
  std::vector<double> each(repeat.batch_ms.begin(), repeat.batch_ms.end());
  return median(std::move(each)) / static_cast<double>(repeat.launches);
}

/// The largest of a GPU's repeats over its least, less 1, in the median over the GPUs.
double between_repeats(const std::vector<const ProfileRepeat*>& repeats) {
  std::map<std::int32_t, std::pair<double, double>> ends;
  for (const ProfileRepeat* repeat : repeats) {
    const double ms = median_ms(*repeat);
    auto& [least, most] = ends.try_emplace(repeat->gpu, ms, ms).first->second;
    least = std::min(least, ms);
    most = std::max(most, ms);
  }
  std::vector<double> spreads;
  for (const auto& [gpu, end] : ends) spreads.push_back(end.second / end.first - 1);
  return median(std::move(spreads));
}

}  // namespace

std::string profile_text(const std::vector<Measurements>& profile, const std::vector<Note>& notes,
                         const std::string& name, std::size_t columns) {
  std::vector<ShownKernel> kernels;
  for (const Measurements& one : profile) kernels.push_back({&one, summarize(one), split_half_correlation(one)});
  if (kernels.empty()) return name + ": no kernel has times\n";
  std::ranges::stable_sort(kernels, std::greater(), [](const ShownKernel& one) { return width_of_most(one.summary); });
  std::vector<Note> all = notes;
  for (const Measurements& one : profile) {
    if (const auto note = reliability_note(one)) all.push_back(*note);
  }
  // Of the kernel that differs most, and of the one that differs most among those whose slow GPUs stay slow.
  std::string slowest = slowest_of(kernels.front(), name, columns);
  const auto lasting =
      std::ranges::find_if(kernels, [](const auto& one) { return one.correlation >= least_split_half; });
  if (lasting != kernels.end() && lasting != kernels.begin()) slowest += slowest_of(*lasting, name, columns);
  return paragraph("", profile_head(kernels, name), columns) + carried_text(name, columns) + slowest + "\n" +
         to_text(table_of_kernels(kernels, name), columns) + "\n" + notes_line(all, columns) +
         fmt::format("next: palstudy profile bins {}   all tables: --wide\n", shell_word(name));
}

std::string import_text(const Profile& profile, const std::string& file, std::size_t columns) {
  const ProfileCoverage cover = coverage(profile);
  const auto hosts = std::ranges::count_if(cover.nodes, [](const auto& node) { return !node.host.empty(); });
  std::string text =
      fmt::format("{} on {}, {}, {}, {}: {}\n", counted(profile.gpus.size(), "GPU"),
                  counted(static_cast<std::size_t>(hosts), "node"), counted(profile.kernels.size(), "kernel"),
                  counted(profile.sessions.size(), "session"), counted(profile.repeats.size(), "repeat"), file);
  for (const auto& use : profile.utilization) {
    text += fmt::format("use of a GPU by {}: {:.1f} % of DRAM, {:.1f} % of the busiest pipe\n", use.application,
                        100 * use.u_dram, 100 * use.u_fu);
  }
  const auto measured = measurements_of(profile);
  if (measured.empty()) return text;
  std::vector<ShownKernel> kernels;
  for (const Measurements& one : measured) kernels.push_back({&one, summarize(one), split_half_correlation(one)});
  return text + "\n" + to_text(table_of_kernels(kernels, file), columns) +
         fmt::format("\nnext: palstudy profile show {}\n", shell_word(file));
}

std::string reliability_text(const std::vector<Measurements>& profile, const std::string& name, std::size_t columns) {
  TextTable table{{"kernel", "GPUs", "runs per GPU", "between GPUs", "between runs", "split half", "between sessions",
                   "within node"},
                  {},
                  1};
  const auto known = [](double value, int digits, const char* unit = "") {
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}{}", value, digits, unit);
  };
  for (const Measurements& one : profile) {
    const Reliability r = measure_reliability(one);
    table.rows.push_back({kernel_name(one.name, name), grouped(r.gpus), known(r.runs_per_gpu, 1),
                          known(100 * r.gpu_sd, 2, " %"), known(100 * r.run_sd, 2, " %"), known(r.split_half, 3),
                          known(r.between_sessions, 3), known(r.node_icc, 2)});
  }
  return to_text(table, columns) +
         fmt::format("next: palstudy profile bins {}   all columns: --wide\n", shell_word(name));
}

std::string repeats_text(const Profile& profile, const std::string& file, std::size_t columns) {
  const bool cores = std::ranges::any_of(profile.sessions, [](const auto& one) { return one.backend == "host"; });
  std::string text = fmt::format("{} of {} on {}: {}\n", counted(profile.repeats.size(), "repeat"),
                                 counted(profile.kernels.size(), "kernel"),
                                 counted(profile.gpus.size(), cores ? "CPU core" : "GPU"), file);
  TextTable table{{"kernel", "flags", "repeats", "median", "between repeats"}, {}, 2};
  for (std::size_t k = 0; k < profile.kernels.size(); ++k) {
    std::vector<const ProfileRepeat*> repeats;
    std::vector<double> times;
    for (const ProfileRepeat& repeat : profile.repeats) {
      if (repeat.kernel != static_cast<std::int32_t>(k)) continue;
      repeats.push_back(&repeat);
      times.push_back(median_ms(repeat));
    }
    if (repeats.empty()) continue;
    table.rows.push_back({profile.kernels[k].name, flags_text(repeats), grouped(repeats.size()),
                          fmt::format("{:.3g} ms", median(std::move(times))),
                          fmt::format("{:.2f} %", 100 * between_repeats(repeats))});
  }
  return text + (table.rows.empty() ? "" : "\n" + to_text(table, columns) + "\n") +
         notes_line(profile_notes(profile, ""), columns) +
         fmt::format("next: palstudy profile show {}\n", shell_word(file));
}

}  // namespace palstudy
