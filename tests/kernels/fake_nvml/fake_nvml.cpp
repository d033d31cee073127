// SPDX-License-Identifier: MIT
// A library with the functions of NVML that we call, for one GPU that is not there. It lacks the newest name of the
// last function, as older drivers do.
#include <unistd.h>

#include <cstring>

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }

int nvmlDeviceGetHandleByPciBusId_v2(const char* pci_bus_id, void** device) {
  static int gpu;
  if (std::strcmp(pci_bus_id, "00000000:0F:00.0") != 0) return 6;  // not found
  *device = &gpu;
  return 0;
}
int nvmlDeviceGetClockInfo(void*, unsigned type, unsigned* mhz) {
  if (type != 1 && type != 2) return 2;
  *mhz = type == 1 ? 1980 : 2619;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 512'000;
  return 0;
}
int nvmlDeviceGetTemperature(void*, unsigned sensor, unsigned* degrees) {
  if (sensor != 0) return 2;
  *degrees = 61;
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  *millijoules = 123'456'789'012ULL;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = 0x4;
  return 0;
}

int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::strncpy(text, "550.54.15", size);
  return 0;
}
int nvmlDeviceGetSerial(void*, char* text, unsigned size) {
  std::strncpy(text, "1650123456789", size);
  return 0;
}
int nvmlDeviceGetBoardPartNumber(void*, char* text, unsigned size) {
  std::strncpy(text, "900-21010-0040-000", size);
  return 0;
}
// No nvmlDeviceGetVbiosVersion, as in a library that is older than it.
int nvmlDeviceGetEccMode(void*, unsigned* current, unsigned* pending) {
  *current = 1;
  *pending = 0;
  return 0;
}
int nvmlDeviceGetMigMode(void*, unsigned* current, unsigned* pending) {
  *current = 0;
  *pending = 1;
  return 0;
}
int nvmlDeviceGetPersistenceMode(void*, unsigned*) { return 3; }  // not supported
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) {
  *milliwatts = 600'000;
  return 0;
}
int nvmlDeviceGetPowerManagementDefaultLimit(void*, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return 0;
}
int nvmlDeviceGetMaxClockInfo(void*, unsigned type, unsigned* mhz) {
  *mhz = type == 1 ? 1980 : 3201;
  return 0;
}
// What runs on the GPU: this process, where it has not hidden behind another id, and others, as a test sets them.
static unsigned fake_others = 1, fake_own = 0;
void fakeNvmlProcesses(unsigned others, unsigned own) {
  fake_others = others;
  fake_own = own;
}
struct FakeProcess {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, FakeProcess* processes) {
  const unsigned room = *count;
  *count = fake_others + 1;
  if (room < *count) return 7;  // the buffer is too small
  for (unsigned i = 0; i < fake_others; ++i) processes[i] = {i + 1, 1000, 0, 0};
  processes[fake_others] = {fake_own == 0 ? static_cast<unsigned>(getpid()) : fake_own, 1000, 0, 0};
  return 0;
}
struct FakeUtilization {
  unsigned gpu, memory;
};
int nvmlDeviceGetUtilizationRates(void*, FakeUtilization* rates) {
  *rates = {0, 0};
  return 0;
}
int nvmlDeviceGetRemappedRows(void*, unsigned* corrected, unsigned* uncorrected, unsigned* pending, unsigned* failed) {
  *corrected = *uncorrected = 1;
  *pending = 1;
  *failed = 0;
  return 0;
}

}  // extern "C"
