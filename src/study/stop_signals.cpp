// SPDX-License-Identifier: MIT
#include "study/stop_signals.hpp"

#include <array>
#include <csignal>

namespace palstudy {
namespace {

volatile std::sig_atomic_t raised_signal = 0;
constexpr std::array stop_signals = {SIGTERM, SIGINT, SIGUSR1};

void on_signal(int signal) { raised_signal = signal; }

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  raised_signal = 0;
  for (const int signal : stop_signals) {
    handle(signal, on_signal, SA_RESTART | (signal == SIGUSR1 ? 0 : static_cast<int>(SA_RESETHAND)));
  }
}

StopSignals::~StopSignals() {
  for (const int signal : stop_signals) handle(signal, SIG_DFL, 0);
}

bool StopSignals::raised() const { return raised_signal != 0; }

}  // namespace palstudy
