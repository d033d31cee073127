// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "core/error.hpp"
#include "core/host.hpp"
#include "core/shown_text.hpp"
#include "core/text.hpp"
#include "parallel/mpi.hpp"

namespace palstudy {
namespace {

// All ranks of a launcher get here before MPI runs; one of them prints.
bool speaks = true;

void say(const std::string& message) {
  try {
    if (speaks) fmt::print(stderr, "palstudy: {}\n", shown_lines(message));
  } catch (const std::system_error&) {  // the message is lost, the exit code is not
  }
}

// What is logged may hold names of files from elsewhere.
class ShownMessage final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm& /*time*/, spdlog::memory_buf_t& to) override {
    const std::string text = shown_lines({message.payload.data(), message.payload.size()});
    to.append(text.data(), text.data() + text.size());
  }
  [[nodiscard]] std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
    return std::make_unique<ShownMessage>();
  }
};

void set_up_log() {
  const char* no_color = std::getenv("NO_COLOR");  // no-color.org: any text but an empty one
  const bool plain = no_color != nullptr && *no_color != '\0';
  auto log = spdlog::stderr_color_mt("palstudy", plain ? spdlog::color_mode::never : spdlog::color_mode::automatic);
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<ShownMessage>('*').set_pattern("[%T] %^%l%$: %*");
  log->set_formatter(std::move(formatter));
  log->set_level(speaks ? spdlog::level::info : spdlog::level::off);
  spdlog::set_default_logger(std::move(log));
}

// An unknown command, with the nearest of those that are not hidden.
[[noreturn]] void refuse_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    known.push_back(sub->get_name());
  }
  throw usage_error(fmt::format("unknown command \"{}\"{}", word, suggestion(word, known)), "",
                    "known: " + join(known));
}

// A usage error of the command line, with what to do about it.
int refuse(const CLI::App& app, const CLI::ParseError& error) {
  std::string command = "palstudy";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().back();
    command += " " + at->get_name();
  }
  say(fmt::format("{}\n  {} --help lists commands and options", unknown_option(app).value_or(error.what()), command));
  return static_cast<int>(ErrorCode::usage);
}

int parse_and_run(int& argc, char**& argv) {
  CLI::App app{"Simulates variability-aware GPU schedulers and compares them."};
  app.name("palstudy");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 internal error, 2 command line or study file, 3 input data, 4 stopped early and\n"
      "resumable, 5 verification failed. Results go to standard output, all else to standard error.\n"
      "Installed as PREFIX/bin/palstudy, it has its documentation (docs/) in PREFIX/share/doc/palstudy and its "
      "studies,\n"
      "traces, Slurm scripts and Python module in PREFIX/share/palstudy; man palstudy has a list.");
  std::function<int()> chosen;
  for (const auto& entry : commands().entries()) {
    CLI::App* sub = app.add_subcommand(entry.name, entry.summary);
    sub->final_callback([&chosen, run = entry.make(*sub, CommandContext{argc, argv})] { chosen = run; });
  }
  const std::string first = argc > 1 ? argv[1] : "-";
  const auto named = [&](const auto& entry) { return entry.name == first; };
  if (!first.starts_with("-") && std::ranges::none_of(commands().entries(), named)) refuse_command(app, first);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return refuse(app, error);
    return speaks ? app.exit(error) : 0;  // --help, --version
  }
  return chosen();
}

// Standard output cannot be written. A reader that has seen enough (`palstudy export ... | head`) is no error.
int lost_output(int error_number) {
  if (error_number == EPIPE) return 0;
  const char* remedy = error_number == ENOSPC ? "make room" : "see where it goes to";
  say(fmt::format("standard output: {}\n  What was printed is incomplete; {} and run it again.",
                  std::strerror(error_number), remedy));
  return static_cast<int>(ErrorCode::data);
}

int guarded(int& argc, char**& argv) {
  try {
    speaks = speaks_for_all();
    set_up_log();
    (void)started_by_launcher();  // refuses a launcher that is not MPI's
    const int code = parse_and_run(argc, argv);
    if (std::fflush(stdout) == 0) return code;
    const int lost = lost_output(errno);
    return code == 0 ? lost : code;
  } catch (const RanksApart& error) {
    speaks = true;
    say(error.what());
    return error.exit_code();
  } catch (const Error& error) {
    say(error.what());
    return error.exit_code();
  } catch (const std::filesystem::filesystem_error& error) {
    say(fmt::format("{}: {}\n  Check the path and its permissions.", error.path1().string(), error.code().message()));
    return static_cast<int>(ErrorCode::data);
  } catch (const std::system_error& error) {  // of fmt::print
    return lost_output(error.code().value());
  } catch (const std::exception& error) {
    say(fmt::format("{}\n  This is a fault of the program; please report it.", error.what()));
    return static_cast<int>(ErrorCode::fault);
  }
}

/// Opens closed standard streams as /dev/null, so that no file gets descriptor 0, 1 or 2 and is printed into. What is
/// printed to a closed standard output is lost, which is an error, so it is not opened for writing.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int mode = stream == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    if (::fcntl(stream, F_GETFD) < 0) (void)::open("/dev/null", mode);  // the lowest that is free
  }
}

}  // namespace
}  // namespace palstudy

int main(int argc, char** argv) {
  palstudy::hold_standard_streams();
  palstudy::keep_freed_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // beyond a file-size limit, writes fail and are reported
  std::signal(SIGPIPE, SIG_IGN);
  // Slurm's notice ahead of the time limit comes to all: only a campaign at work has something to do then.
  std::signal(SIGUSR1, SIG_IGN);
  std::signal(SIGUSR2, SIG_IGN);
  return palstudy::guarded(argc, argv);
}
