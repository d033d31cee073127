// SPDX-License-Identifier: MIT
// A library with the functions of NVML that we call, for one GPU that is not there. It lacks the newest name of the
// last function, as older drivers do.
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

}  // extern "C"
