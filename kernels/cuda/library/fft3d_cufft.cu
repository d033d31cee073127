// SPDX-License-Identifier: MIT
#include <cufft.h>

#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/cuda/library/shared_library.hpp"

namespace palstudy {
namespace {

void check_cufft(cufftResult status, const std::string& what) {
  if (status != CUFFT_SUCCESS) throw fault("cuFFT failed with code " + std::to_string(status), what);
}

/// cuFFT with the plan of one cube.
class Cufft {
 public:
  Cufft(int n, void* stream) : library_("libcufft.so." + std::to_string(CUFFT_VER_MAJOR)) {
    library_.load(plan_3d_, "cufftPlan3d");
    library_.load(set_stream_, "cufftSetStream");
    library_.load(execute_, "cufftExecC2C");
    library_.load(destroy_, "cufftDestroy");
    check_cufft(plan_3d_(&plan_, n, n, n, CUFFT_C2C), "cufftPlan3d");
    check_cufft(set_stream_(plan_, static_cast<cudaStream_t>(stream)), "cufftSetStream");
  }
  ~Cufft() { destroy_(plan_); }
  Cufft(const Cufft&) = delete;
  Cufft& operator=(const Cufft&) = delete;

  void forward(void* in, void* out) const {
    check_cufft(execute_(plan_, static_cast<cufftComplex*>(in), static_cast<cufftComplex*>(out), CUFFT_FORWARD),
                "cufftExecC2C");
  }

 private:
  SharedLibrary library_;
  cufftHandle plan_ = 0;
  decltype(&cufftPlan3d) plan_3d_ = nullptr;
  decltype(&cufftSetStream) set_stream_ = nullptr;
  decltype(&cufftExecC2C) execute_ = nullptr;
  decltype(&cufftDestroy) destroy_ = nullptr;
};

}  // namespace

void register_cuda_library_kernel_fft3d_cufft(CudaKernelRegistry& registry) {
  registry.add({"fft3d-cufft", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto cufft = std::make_shared<Cufft>(static_cast<int>(params.number("n")), stream);
                  return CudaLaunch([=] { cufft->forward(arrays[0], arrays[2]); });
                }});
}

}  // namespace palstudy
