// SPDX-License-Identifier: MIT
// A measurement in which kernels fail, with any number of ranks; exits with 1 and a line on the rank that saw something
// wrong.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include "archive/profile/profile_file.hpp"
#include "core/error.hpp"
#include "measure/measurement.hpp"

namespace palstudy {
namespace {

bool failed = false;

void expect(const Mpi& mpi, bool holds, const std::string& what) {
  if (holds) return;
  fmt::print(stderr, "rank {}: {}\n", mpi.rank(), what);
  failed = true;
}

/// A kernel that takes a fixed time by a clock of its own, until it fails.
class Pretended : public Runner {
 public:
  explicit Pretended(std::size_t good_checks) : good_checks_(good_checks) {}
  std::vector<double> batches(std::size_t count, std::size_t launches) override {
    if (good_checks_ == 0) throw fault("unspecified launch failure", "a kernel");
    return std::vector<double>(count, 1e-3 * static_cast<double>(launches));
  }
  [[nodiscard]] Verdict check() override {
    --good_checks_;
    return {};
  }

 private:
  std::size_t good_checks_;
};
constexpr std::size_t always = 1'000'000;

/// For each kernel and rank the repeats that succeed: 0 fails at the first launch, -1 is refused before.
using Fate = std::function<int(const std::string& kernel)>;

MakeRunner pretended(const Fate& fate) {
  return
      [fate](Backend, const KernelEntry& kernel, const ParamValues&, const RunnerOptions&) -> std::unique_ptr<Runner> {
        const int good = fate(kernel.name);
        if (good < 0) throw usage_error("this GPU has too little of something", "", "take another");
        return std::make_unique<Pretended>(static_cast<std::size_t>(good));
      };
}

MeasureOptions three_kernels(const std::filesystem::path& output) {
  MeasureOptions options;
  options.output = output;
  options.backend = Backend::host;
  options.kernels = {"chase", "sgemm", "triad"};
  options.protocol.repeats = 2;
  return options;
}

std::ptrdiff_t repeats_of(const Profile& profile, const std::string& kernel) {
  return std::count_if(profile.repeats.begin(), profile.repeats.end(), [&](const ProfileRepeat& repeat) {
    return profile.kernels[static_cast<std::size_t>(repeat.kernel)].name == kernel;
  });
}

// chase is refused everywhere before it starts, sgemm fails at its first launch on the last rank, triad after its first
// repeat on rank 0. The measurement ends with a profile of what the others measured, which says what is missing where,
// and with code 1, on all ranks.
void check_partial(Mpi& mpi, const std::filesystem::path& folder) {
  const int last = mpi.ranks() - 1;
  const Fate fate = [&](const std::string& kernel) {
    if (kernel == "chase") return -1;
    if (kernel == "sgemm" && mpi.rank() == last) return 0;
    return kernel == "triad" && mpi.rank() == 0 ? 1 : static_cast<int>(always);
  };
  const int code = measure_campaign(three_kernels(folder / "partial.h5"), mpi, pretended(fate));
  expect(mpi, code == 1, fmt::format("code {} where a kernel failed", code));
  if (mpi.rank() != 0) return;
  const Profile profile = read_profile(folder / "partial.h5");
  expect(mpi, repeats_of(profile, "chase") == 0, "repeats of a kernel that was refused");
  expect(mpi, repeats_of(profile, "sgemm") == 2 * last, "sgemm is not measured twice on all but the last rank");
  expect(mpi, repeats_of(profile, "triad") == 2 * last + 1, "triad is not measured twice, and once on rank 0");
  const std::string& remarks = profile.sessions.at(0).remarks;
  const auto lines = std::count(remarks.begin(), remarks.end(), '\n');
  expect(mpi, lines == mpi.ranks() + 2, "not one remark a failure:\n" + remarks);
  expect(mpi, remarks.find("chase is left out on host-") != std::string::npos, remarks);
  expect(mpi, remarks.find("unspecified launch failure") != std::string::npos, remarks);
  expect(mpi, !std::filesystem::exists(folder / "partial.h5.parts"), "shards beside a profile");
}

// What is only refused is no failure: code 0.
void check_refused(Mpi& mpi, const std::filesystem::path& folder) {
  const Fate fate = [](const std::string& kernel) { return kernel == "chase" ? -1 : static_cast<int>(always); };
  const int code = measure_campaign(three_kernels(folder / "refused.h5"), mpi, pretended(fate));
  expect(mpi, code == 0, fmt::format("code {} where a kernel was refused", code));
}

// Where nothing could be measured there is no profile, nothing is left, and the code is that of the reason.
void check_nothing(Mpi& mpi, const std::filesystem::path& folder, int good, ErrorCode expected) {
  const auto output = folder / fmt::format("nothing{}.h5", good);
  try {
    (void)measure_campaign(three_kernels(output), mpi, pretended([&](const std::string&) { return good; }));
    expect(mpi, false, "a measurement of nothing");
  } catch (const Error& error) {
    expect(mpi, error.code() == expected, fmt::format("code {}: {}", error.exit_code(), error.what()));
    expect(mpi, std::string(error.what()).find("is left out") != std::string::npos, error.what());
  }
  mpi.barrier();
  expect(mpi, !std::filesystem::exists(output), "a profile of nothing");
  expect(mpi, !std::filesystem::exists(output.string() + ".parts"), "shards of nothing");
}

int run(int argc, char** argv) {
  Mpi mpi(argc, argv);
  spdlog::set_level(spdlog::level::err);
  const std::filesystem::path folder = argv[1];
  check_partial(mpi, folder);
  check_refused(mpi, folder);
  check_nothing(mpi, folder, -1, ErrorCode::usage);
  check_nothing(mpi, folder, 0, ErrorCode::fault);
  return mpi.max(failed ? 1 : 0) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace palstudy

int main(int argc, char** argv) { return palstudy::run(argc, argv); }
