// SPDX-License-Identifier: MIT
#include "core/stop_signals.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace palstudy {
namespace {

// Read by the thread that simulates, too.
std::atomic<bool> stop_raised = false, end_is_near = false;
std::atomic<int> save_requests = 0;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr std::array stop_signals = {SIGTERM, SIGINT, SIGUSR1};
constexpr int save_signal = SIGUSR2;

void on_stop(int signal) {
  if (signal != SIGUSR1) end_is_near = true;
  stop_raised = true;
}
void on_save(int) { ++save_requests; }

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  stop_raised = end_is_near = false;
  save_requests = 0;
  handle(save_signal, on_save, SA_RESTART);
  for (const int signal : stop_signals) {
    handle(signal, on_stop, SA_RESTART | (signal == SIGUSR1 ? 0 : static_cast<int>(SA_RESETHAND)));
  }
}

StopSignals::~StopSignals() {
  for (const int signal : stop_signals) handle(signal, signal == SIGUSR1 ? SIG_IGN : SIG_DFL, 0);
  handle(save_signal, SIG_IGN, 0);
}

bool StopSignals::raised() const { return stop_raised; }
bool StopSignals::ends_soon() const { return end_is_near; }
int StopSignals::saves() const { return save_requests; }

}  // namespace palstudy
