// SPDX-License-Identifier: MIT
#include "parallel/mpi.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "core/text.hpp"
#include "parallel/mpi_check.hpp"

namespace palstudy {
namespace {

std::optional<long long> number_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? std::nullopt : parse_integer(text);
}

std::optional<long long> launched_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const auto rank = number_of(variable)) return rank;
  }
  return std::nullopt;
}

}  // namespace

bool speaks_for_all() {
  if (const auto rank = launched_rank()) return *rank == 0;
  return std::getenv("SLURM_STEP_ID") == nullptr || number_of("SLURM_PROCID").value_or(0) == 0;
}

std::string launcher_name() {
  if (std::getenv("OMPI_COMM_WORLD_RANK") != nullptr) return "mpirun";
  if (std::getenv("SLURM_STEP_ID") != nullptr) return "srun";
  return started_by_launcher() ? "mpiexec" : "";
}

bool started_by_launcher() {
  if (launched_rank()) return true;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr) return true;
  // A step of srun has SLURM_STEP_ID, the batch script of sbatch has not.
  const auto tasks = number_of("SLURM_STEP_NUM_TASKS");
  if (std::getenv("SLURM_STEP_ID") != nullptr && tasks.value_or(1) > 1) {
    throw usage_error("srun started " + std::to_string(*tasks) + " tasks without MPI", "SLURM_STEP_NUM_TASKS",
                      "use srun --mpi=pmix, or mpirun");
  }
  return false;
}

namespace {

int int_size(std::size_t size) {
  if (size > INT_MAX) throw fault("a message of more than 2 GiB");
  return static_cast<int>(size);
}

// Asks something of the ranks that share this rank's memory.
int ask_host(int (*question)(MPI_Comm, int*)) {
  MPI_Comm host = MPI_COMM_NULL;
  PALSTUDY_MPI(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
  int value = 0;
  PALSTUDY_MPI(question(host, &value));
  PALSTUDY_MPI(MPI_Comm_free(&host));
  return value;
}

}  // namespace

bool mpi_is_started() {
  int started = 0;
  MPI_Initialized(&started);
  return started != 0;
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int size = 0;
  PALSTUDY_MPI(MPI_Get_library_version(text, &size));  // may be asked before MPI starts
  std::string line(text, static_cast<std::size_t>(size));
  line.resize(std::min(line.find_first_of(",\n"), line.size()));
  std::ranges::replace(line, '\t', ' ');
  return line;
}

namespace {

/// How many processes the innermost launcher says that it has started, and where it says so.
struct Announced {
  long long processes = 1;
  std::string variable = "";
};

Announced announced() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const auto processes = number_of(variable)) return {*processes, variable};
  }
  const auto tasks = number_of("SLURM_STEP_NUM_TASKS");  // srun --mpi=pmix
  if (std::getenv("SLURM_STEP_ID") == nullptr || !tasks) return {};
  return {*tasks, "SLURM_STEP_NUM_TASKS"};
}

/// MPI_Init also succeeds where it has nobody to ask for the other ranks, as a program of one rank.
void require_joined() {
  int joined = 1;
  PALSTUDY_MPI(MPI_Comm_size(MPI_COMM_WORLD, &joined));
  const Announced all = announced();
  if (all.processes <= joined) return;
  const bool by_srun = std::getenv("SLURM_STEP_ID") != nullptr;
  throw RanksApart(ErrorCode::usage,
                   (by_srun ? "srun started " : "a launcher started ") + std::to_string(all.processes) +
                       (by_srun ? " tasks without MPI" : " processes without this MPI") + ": MPI joins " +
                       std::to_string(joined) + " (" + mpi_library() + ")",
                   all.variable, by_srun ? "use srun --mpi=pmix, or mpirun" : "use the mpirun of this MPI");
}

}  // namespace

Mpi::Mpi(int& argc, char**& argv) {
  if (!started_by_launcher()) return;
  // Debian's Open MPI is configured with `osc = ^ucx,pt2pt`, which leaves no one-sided communication between hosts over
  // TCP. Without UCX, whose time-outs between such hosts are long, the slower pt2pt serves; the caller's setting is
  // kept.
  ::setenv("OMPI_MCA_osc", "^ucx", 0);
  int provided = 0;
  PALSTUDY_MPI(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided));
  started_ = true;
  PALSTUDY_MPI(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  if (provided < MPI_THREAD_FUNNELED) throw fault("this MPI has no MPI_THREAD_FUNNELED");
  try {
    require_joined();
  } catch (...) {
    MPI_Finalize();
    throw;
  }
}

Mpi::~Mpi() {
  if (started_) MPI_Finalize();
}

int Mpi::rank() const {
  int value = 0;
  if (started_) PALSTUDY_MPI(MPI_Comm_rank(MPI_COMM_WORLD, &value));
  return value;
}

int Mpi::ranks() const {
  int value = 1;
  if (started_) PALSTUDY_MPI(MPI_Comm_size(MPI_COMM_WORLD, &value));
  return value;
}

int Mpi::ranks_on_host() { return started_ ? ask_host(MPI_Comm_size) : 1; }

int Mpi::rank_on_host() { return started_ ? ask_host(MPI_Comm_rank) : 0; }

void Mpi::barrier() {
  if (started_) PALSTUDY_MPI(MPI_Barrier(MPI_COMM_WORLD));
}

void Mpi::barrier(const std::function<void()>& meanwhile) {
  if (!started_) return;
  MPI_Request request = MPI_REQUEST_NULL;
  PALSTUDY_MPI(MPI_Ibarrier(MPI_COMM_WORLD, &request));
  auto pause = std::chrono::microseconds(20);  // short at first: most often the others are nearly there
  for (int there = 0;;) {
    PALSTUDY_MPI(MPI_Test(&request, &there, MPI_STATUS_IGNORE));
    if (there != 0) return;
    meanwhile();
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(2000));
  }
}

std::int64_t Mpi::max(std::int64_t value) {
  std::int64_t largest = value;
  if (started_) PALSTUDY_MPI(MPI_Allreduce(&value, &largest, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD));
  return largest;
}

void Mpi::broadcast_bytes(std::span<std::byte> bytes, int root) {
  if (started_) PALSTUDY_MPI(MPI_Bcast(bytes.data(), int_size(bytes.size()), MPI_BYTE, root, MPI_COMM_WORLD));
}

std::string Mpi::broadcast(const std::string& text, int root) {
  const std::vector<char> copy = broadcast(std::vector<char>(text.begin(), text.end()), root);
  return {copy.begin(), copy.end()};
}

std::vector<std::string> Mpi::gather(const std::string& text) {
  if (!started_) return {text};
  const int size = int_size(text.size());
  const auto count = static_cast<std::size_t>(ranks());
  std::vector<int> sizes(count), begins(count);
  PALSTUDY_MPI(MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD));
  std::string all;
  if (rank() == 0) {
    std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
    all.resize(static_cast<std::size_t>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})));
  }
  PALSTUDY_MPI(
      MPI_Gatherv(text.data(), size, MPI_CHAR, all.data(), sizes.data(), begins.data(), MPI_CHAR, 0, MPI_COMM_WORLD));
  if (rank() != 0) return {};
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < count; ++r) {
    texts.push_back(all.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(sizes[r])));
  }
  return texts;
}

void Mpi::abort(int exit_code) {
  if (started_) MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::exit(exit_code);
}

}  // namespace palstudy
