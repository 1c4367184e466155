// SPDX-License-Identifier: EPL-2.0
// The functions of cuBLAS, cuSOLVER and cuSPARSE that the engine calls, by OpenBLAS and LAPACKE.
#include "tests/support/emulated_device.hpp"
// the emulation comes first
#include <cblas.h>
#include <lapacke.h>

#include "tests/support/emulated_runtime/device.hpp"

using emulated_runtime::device;
using emulated_runtime::Trouble;

namespace {

/// What the handles of all three libraries point to.
struct Handle {
  char const* kind;
  emulated_runtime::Stream* stream = nullptr;
};

Handle* make(char const* kind) {
  ++device().handles[kind];
  return new Handle{kind};
}
template <class Opaque>
Handle& handleOf(Opaque* opaque) {
  return *reinterpret_cast<Handle*>(const_cast<std::remove_const_t<Opaque>*>(opaque));
}
template <class Opaque>
void destroy(Opaque* opaque) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  Handle* const handle = &handleOf(opaque);
  --device().handles[handle->kind];
  delete handle;
}

/// The library's word for a call that fails, or nothing.
template <class Status>
bool fails(Status noMemory, Status lost, Status& status) {
  Trouble const trouble = device().trouble();
  status = trouble == Trouble::noMemory ? noMemory : lost;
  return trouble != Trouble::none;
}
#define BLAS_MAY_FAIL                                                            \
  std::lock_guard const lock(emulated_runtime::oneAtATime());                    \
  if (cublasStatus_t status;                                                     \
      fails(CUBLAS_STATUS_ALLOC_FAILED, CUBLAS_STATUS_EXECUTION_FAILED, status)) \
  return status
#define SOLVER_MAY_FAIL                                                              \
  std::lock_guard const lock(emulated_runtime::oneAtATime());                        \
  if (cusolverStatus_t status;                                                       \
      fails(CUSOLVER_STATUS_ALLOC_FAILED, CUSOLVER_STATUS_EXECUTION_FAILED, status)) \
  return status
#define SPARSE_MAY_FAIL                                                              \
  std::lock_guard const lock(emulated_runtime::oneAtATime());                        \
  if (cusparseStatus_t status;                                                       \
      fails(CUSPARSE_STATUS_ALLOC_FAILED, CUSPARSE_STATUS_EXECUTION_FAILED, status)) \
  return status

/// rows x columns numbers, `lead` from column to column, in device memory.
bool matrix(void const* a, std::int64_t rows, std::int64_t columns, std::int64_t lead,
            char const* who) {
  if (rows < 0 || columns < 0 || lead < std::max<std::int64_t>(1, rows)) {
    device().fault(std::string(who) + ": sizes that no library takes");
    return false;
  }
  if (rows == 0 || columns == 0) return true;
  auto const numbers = static_cast<std::size_t>(lead * (columns - 1) + rows);
  return device().inside(device().onDevice, a, numbers * sizeof(double), who);
}
/// The same of entries of other sizes than a double's.
bool matrixOf(std::size_t entryBytes, void const* a, std::int64_t rows, std::int64_t columns,
              std::int64_t lead, char const* who) {
  if (rows < 0 || columns < 0 || lead < std::max<std::int64_t>(1, rows)) {
    device().fault(std::string(who) + ": sizes that no library takes");
    return false;
  }
  if (rows == 0 || columns == 0) return true;
  auto const entries = static_cast<std::size_t>(lead * (columns - 1) + rows);
  return device().inside(device().onDevice, a, entries * entryBytes, who);
}
bool vector(void const* x, int length, int step, char const* who) {
  return matrix(x, 1, length, step, who);
}

CBLAS_TRANSPOSE turned(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}
CBLAS_UPLO triangle(cublasFillMode_t mode) {
  return mode == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}
CBLAS_DIAG diagonal(cublasDiagType_t kind) {
  return kind == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}
char letter(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? 'N' : 'T';
}

}  // namespace

// ---- cuBLAS

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  BLAS_MAY_FAIL;
  *handle = reinterpret_cast<cublasHandle_t>(make("cuBLAS handle"));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  destroy(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  BLAS_MAY_FAIL;
  handleOf(handle).stream = reinterpret_cast<emulated_runtime::Stream*>(stream);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  BLAS_MAY_FAIL;
  handleOf(handle);
  device().sliced += mode == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH ? 1 : 0;
  return CUBLAS_STATUS_SUCCESS;
}
char const* cublasGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_ALLOC_FAILED ? "out of memory" : "device lost";
}

cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t turnA,
                              cublasOperation_t turnB, int m, int n, int k, double const* alpha,
                              double const* a, int leadA, double const* b, int leadB,
                              double const* beta, double* c, int leadC) {
  BLAS_MAY_FAIL;
  bool const plainA = turnA == CUBLAS_OP_N, plainB = turnB == CUBLAS_OP_N;
  if (!matrix(a, plainA ? m : k, plainA ? k : m, leadA, "dgemm's A") ||
      !matrix(b, plainB ? k : n, plainB ? n : k, leadB, "dgemm's B") ||
      !matrix(c, m, n, leadC, "dgemm's C"))
    return CUBLAS_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=, factor = *alpha, old = *beta] {
    if (m == 0 || n == 0) return;
    cblas_dgemm(CblasColMajor, turned(turnA), turned(turnB), m, n, k, factor, a, leadA, b, leadB,
                old, c, leadC);
  });
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t turnA,
                                  cublasOperation_t turnB, int m, int n, int k, double const* alpha,
                                  double const* const a[], int leadA, double const* const b[],
                                  int leadB, double const* beta, double* const c[], int leadC,
                                  int count) {
  BLAS_MAY_FAIL;
  for (void const* list :
       {static_cast<void const*>(a), static_cast<void const*>(b), static_cast<void const*>(c)})
    if (!matrixOf(sizeof(double*), list, count, 1, std::max(1, count), "gemmBatched's list"))
      return CUBLAS_STATUS_INVALID_VALUE;
  bool const plainA = turnA == CUBLAS_OP_N, plainB = turnB == CUBLAS_OP_N;
  handleOf(handle).stream->put([=, factor = *alpha, old = *beta] {
    for (int p = 0; p < count; ++p) {  // what the lists hold is known only now
      if (!matrix(a[p], plainA ? m : k, plainA ? k : m, leadA, "gemmBatched's A") ||
          !matrix(b[p], plainB ? k : n, plainB ? n : k, leadB, "gemmBatched's B") ||
          !matrix(c[p], m, n, leadC, "gemmBatched's C"))
        return;
      cblas_dgemm(CblasColMajor, turned(turnA), turned(turnB), m, n, k, factor, a[p], leadA, b[p],
                  leadB, old, c[p], leadC);
    }
  });
  return CUBLAS_STATUS_SUCCESS;
}
// Of bytes with sums of 32 bits, the first matrix transposed: what the engine takes of it.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t turnA, cublasOperation_t turnB,
                            int m, int n, int k, void const* alpha, void const* a,
                            cudaDataType typeA, int leadA, void const* b, cudaDataType typeB,
                            int leadB, void const* beta, void* c, cudaDataType typeC, int leadC,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  BLAS_MAY_FAIL;
  // Rows of four bytes are what the real one insists on.
  if (turnA != CUBLAS_OP_T || turnB != CUBLAS_OP_N || typeA != CUDA_R_8I || typeB != CUDA_R_8I ||
      typeC != CUDA_R_32I || compute != CUBLAS_COMPUTE_32I || leadA % 4 != 0 || leadB % 4 != 0)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!matrixOf(1, a, k, m, leadA, "gemmEx's A") || !matrixOf(1, b, k, n, leadB, "gemmEx's B") ||
      !matrixOf(sizeof(int), c, m, n, leadC, "gemmEx's C"))
    return CUBLAS_STATUS_INVALID_VALUE;
  auto const* const x = static_cast<signed char const*>(a);
  auto const* const y = static_cast<signed char const*>(b);
  auto* const sums = static_cast<int*>(c);
  int const factor = *static_cast<int const*>(alpha), old = *static_cast<int const*>(beta);
  handleOf(handle).stream->put([=] {
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < m; ++i) {
        int sum = 0;
        for (std::int64_t l = 0; l < k; ++l) sum += x[i * leadA + l] * y[j * leadB + l];
        int& target = sums[j * leadC + i];
        target = factor * sum + (old == 0 ? 0 : old * target);
      }
  });
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDgemv_v2(cublasHandle_t handle, cublasOperation_t turn, int m, int n,
                              double const* alpha, double const* a, int lead, double const* x,
                              int stepX, double const* beta, double* y, int stepY) {
  BLAS_MAY_FAIL;
  bool const plain = turn == CUBLAS_OP_N;
  if (!matrix(a, m, n, lead, "dgemv's A") || !vector(x, plain ? n : m, stepX, "dgemv's x") ||
      !vector(y, plain ? m : n, stepY, "dgemv's y"))
    return CUBLAS_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=, factor = *alpha, old = *beta] {
    cblas_dgemv(CblasColMajor, turned(turn), m, n, factor, a, lead, x, stepX, old, y, stepY);
  });
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDger_v2(cublasHandle_t handle, int m, int n, double const* alpha,
                             double const* x, int stepX, double const* y, int stepY, double* a,
                             int lead) {
  BLAS_MAY_FAIL;
  if (!vector(x, m, stepX, "dger's x") || !vector(y, n, stepY, "dger's y") ||
      !matrix(a, m, n, lead, "dger's A"))
    return CUBLAS_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=, factor = *alpha] {
    cblas_dger(CblasColMajor, m, n, factor, x, stepX, y, stepY, a, lead);
  });
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDcopy_v2(cublasHandle_t handle, int n, double const* x, int stepX, double* y,
                              int stepY) {
  BLAS_MAY_FAIL;
  if (!vector(x, n, stepX, "dcopy's x") || !vector(y, n, stepY, "dcopy's y"))
    return CUBLAS_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=] { cblas_dcopy(n, x, stepX, y, stepY); });
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDtrsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t mode,
                              cublasOperation_t turn, cublasDiagType_t kind, int m, int n,
                              double const* alpha, double const* a, int leadA, double* b,
                              int leadB) {
  BLAS_MAY_FAIL;
  bool const left = side == CUBLAS_SIDE_LEFT;
  int const order = left ? m : n;
  if (!matrix(a, order, order, leadA, "dtrsm's A") || !matrix(b, m, n, leadB, "dtrsm's B"))
    return CUBLAS_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=, factor = *alpha] {
    cblas_dtrsm(CblasColMajor, left ? CblasLeft : CblasRight, triangle(mode), turned(turn),
                diagonal(kind), m, n, factor, a, leadA, b, leadB);
  });
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDsyrk_v2(cublasHandle_t handle, cublasFillMode_t mode, cublasOperation_t turn,
                              int n, int k, double const* alpha, double const* a, int leadA,
                              double const* beta, double* c, int leadC) {
  BLAS_MAY_FAIL;
  bool const plain = turn == CUBLAS_OP_N;
  if (!matrix(a, plain ? n : k, plain ? k : n, leadA, "dsyrk's A") ||
      !matrix(c, n, n, leadC, "dsyrk's C"))
    return CUBLAS_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=, factor = *alpha, old = *beta] {
    cblas_dsyrk(CblasColMajor, triangle(mode), turned(turn), n, k, factor, a, leadA, old, c, leadC);
  });
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDtrsv_v2(cublasHandle_t handle, cublasFillMode_t mode, cublasOperation_t turn,
                              cublasDiagType_t kind, int n, double const* a, int lead, double* x,
                              int step) {
  BLAS_MAY_FAIL;
  if (!matrix(a, n, n, lead, "dtrsv's A") || !vector(x, n, step, "dtrsv's x"))
    return CUBLAS_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=] {
    cblas_dtrsv(CblasColMajor, triangle(mode), turned(turn), diagonal(kind), n, a, lead, x, step);
  });
  return CUBLAS_STATUS_SUCCESS;
}

// ---- cuSOLVER

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  SOLVER_MAY_FAIL;
  *handle = reinterpret_cast<cusolverDnHandle_t>(make("cuSOLVER handle"));
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  destroy(handle);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  SOLVER_MAY_FAIL;
  handleOf(handle).stream = reinterpret_cast<emulated_runtime::Stream*>(stream);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* parameters) {
  SOLVER_MAY_FAIL;
  *parameters = reinterpret_cast<cusolverDnParams_t>(make("cuSOLVER parameters"));
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t parameters) {
  destroy(parameters);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t, cusolverDnFunction_t,
                                         cusolverAlgMode_t) {
  SOLVER_MAY_FAIL;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t m,
                                             int64_t n, cudaDataType, void const* a, int64_t lead,
                                             cudaDataType, std::size_t* onDevice,
                                             std::size_t* onHost) {
  SOLVER_MAY_FAIL;
  if (!matrix(a, m, n, lead, "getrf's A")) return CUSOLVER_STATUS_INVALID_VALUE;
  *onDevice = static_cast<std::size_t>(n) * sizeof(double);
  *onHost = 16;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                  int64_t n, cudaDataType, void* a, int64_t lead, int64_t* pivots,
                                  cudaDataType, void* work, std::size_t workBytes, void*,
                                  std::size_t, int* info) {
  SOLVER_MAY_FAIL;
  auto& d = device();
  bool const right = matrix(a, m, n, lead, "getrf's A") &&
                     d.inside(d.onDevice, work, workBytes, "getrf's workspace") &&
                     d.inside(d.onDevice, pivots, static_cast<std::size_t>(n) * sizeof *pivots,
                              "getrf's pivots") &&
                     d.inside(d.onDevice, info, sizeof *info, "getrf's code");
  if (!right || workBytes < static_cast<std::size_t>(n) * sizeof(double))
    return CUSOLVER_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=] {
    std::vector<lapack_int> rows(static_cast<std::size_t>(std::min(m, n)));
    *info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, static_cast<int>(m), static_cast<int>(n),
                                static_cast<double*>(a), static_cast<int>(lead), rows.data());
    std::copy(rows.begin(), rows.end(), pivots);
  });
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasOperation_t turn, int64_t n, int64_t count, cudaDataType,
                                  void const* a, int64_t lead, int64_t const* pivots, cudaDataType,
                                  void* b, int64_t leadB, int* info) {
  SOLVER_MAY_FAIL;
  auto& d = device();
  if (!matrix(a, n, n, lead, "getrs' A") || !matrix(b, n, count, leadB, "getrs' B") ||
      !d.inside(d.onDevice, pivots, static_cast<std::size_t>(n) * sizeof *pivots,
                "getrs' pivots") ||
      !d.inside(d.onDevice, info, sizeof *info, "getrs' code"))
    return CUSOLVER_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=] {
    std::vector<lapack_int> const rows(pivots, pivots + n);
    *info = LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, letter(turn), static_cast<int>(n),
                                static_cast<int>(count), static_cast<double const*>(a),
                                static_cast<int>(lead), rows.data(), static_cast<double*>(b),
                                static_cast<int>(leadB));
  });
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, double*,
                                             int lead, int* length) {
  SOLVER_MAY_FAIL;
  if (n < 0 || lead < std::max(1, n)) return CUSOLVER_STATUS_INVALID_VALUE;
  *length = 64 * n;  // sizes are all that it asks for
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t handle, cublasFillMode_t mode, int n,
                                  double* a, int lead, double* work, int length, int* info) {
  SOLVER_MAY_FAIL;
  auto& d = device();
  if (!matrix(a, n, n, lead, "potrf's A") ||
      !d.inside(d.onDevice, work, static_cast<std::size_t>(length) * sizeof(double),
                "potrf's workspace") ||
      !d.inside(d.onDevice, info, sizeof *info, "potrf's code"))
    return CUSOLVER_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=] {
    *info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, mode == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U', n, a,
                                lead);
  });
  return CUSOLVER_STATUS_SUCCESS;
}

// ---- cuSPARSE

namespace {

/// A matrix's description: by rows, with starts where it is sparse.
struct Described {
  Handle handle;
  std::int64_t rows, columns;
  int const* starts;
  int const* indices;
  double* values;
};
template <class Opaque>
Described const& describedBy(Opaque* opaque) {
  return *reinterpret_cast<Described const*>(opaque);
}
template <class Opaque>
cusparseStatus_t forget(Opaque* opaque) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  Described const* const matrix = &describedBy(opaque);
  --device().handles[matrix->handle.kind];
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  SPARSE_MAY_FAIL;
  *handle = reinterpret_cast<cusparseHandle_t>(make("cuSPARSE handle"));
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  destroy(handle);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  SPARSE_MAY_FAIL;
  handleOf(handle).stream = reinterpret_cast<emulated_runtime::Stream*>(stream);
  return CUSPARSE_STATUS_SUCCESS;
}
char const* cusparseGetErrorString(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_ALLOC_FAILED ? "out of memory" : "device lost";
}
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                   int64_t entries, void* starts, void* indices, void* values,
                                   cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t,
                                   cudaDataType) {
  SPARSE_MAY_FAIL;
  auto& d = device();
  auto const bytes = [](int64_t count, std::size_t each) {
    return static_cast<std::size_t>(count) * each;
  };
  if (!d.inside(d.onDevice, starts, bytes(rows + 1, sizeof(int)), "a sparse matrix's starts") ||
      !d.inside(d.onDevice, indices, bytes(entries, sizeof(int)), "a sparse matrix's indices") ||
      !d.inside(d.onDevice, values, bytes(entries, sizeof(double)), "a sparse matrix's values"))
    return CUSPARSE_STATUS_INVALID_VALUE;
  ++d.handles["sparse matrix"];
  *matrix = reinterpret_cast<cusparseSpMatDescr_t>(new Described{{"sparse matrix"},
                                                                 rows,
                                                                 columns,
                                                                 static_cast<int const*>(starts),
                                                                 static_cast<int const*>(indices),
                                                                 static_cast<double*>(values)});
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                     int64_t lead, void* values, cudaDataType, cusparseOrder_t) {
  SPARSE_MAY_FAIL;
  if (!::matrix(values, columns, rows, lead, "a dense matrix") || lead != columns)
    return CUSPARSE_STATUS_INVALID_VALUE;
  ++device().handles["dense matrix"];
  *matrix = reinterpret_cast<cusparseDnMatDescr_t>(new Described{
      {"dense matrix"}, rows, columns, nullptr, nullptr, static_cast<double*>(values)});
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return forget(matrix);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return forget(matrix);
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         void const*, cusparseConstSpMatDescr_t,
                                         cusparseConstDnMatDescr_t, void const*,
                                         cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         std::size_t* bytes) {
  SPARSE_MAY_FAIL;
  *bytes = 64;
  return CUSPARSE_STATUS_SUCCESS;
}
// C = alpha A B + beta C, B and C by rows
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t,
                              void const* alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnMatDescr_t b, void const* beta, cusparseDnMatDescr_t c,
                              cudaDataType, cusparseSpMMAlg_t, void* buffer) {
  SPARSE_MAY_FAIL;
  auto const sparse = describedBy(a), dense = describedBy(b), target = describedBy(c);
  auto& d = device();
  if (sparse.columns != dense.rows || sparse.rows != target.rows ||
      dense.columns != target.columns || !d.inside(d.onDevice, buffer, 64, "SpMM's buffer"))
    return CUSPARSE_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put(
      [=, factor = *static_cast<double const*>(alpha), old = *static_cast<double const*>(beta)] {
        for (std::int64_t i = 0; i < target.rows; ++i) {
          double* const row = target.values + i * target.columns;
          cblas_dscal(static_cast<int>(target.columns), old, row, 1);
          for (int e = sparse.starts[i]; e < sparse.starts[i + 1]; ++e)
            cblas_daxpy(static_cast<int>(target.columns), factor * sparse.values[e],
                        dense.values + sparse.indices[e] * dense.columns, 1, row, 1);
        }
      });
  return CUSPARSE_STATUS_SUCCESS;
}
// Systems one after the other, each by elimination without pivots.
cusparseStatus_t cusparseDgtsv2StridedBatch_bufferSizeExt(cusparseHandle_t, int, double const*,
                                                          double const*, double const*,
                                                          double const*, int, int,
                                                          std::size_t* bytes) {
  SPARSE_MAY_FAIL;
  *bytes = 64;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDgtsv2StridedBatch(cusparseHandle_t handle, int length,
                                            double const* lower, double const* diagonal,
                                            double const* upper, double* x, int count, int stride,
                                            void* buffer) {
  SPARSE_MAY_FAIL;
  auto& d = device();
  std::size_t const bytes =
      (static_cast<std::size_t>(stride) * (count - 1) + length) * sizeof(double);
  for (double const* const array : {lower, diagonal, upper, static_cast<double const*>(x)})
    if (!d.inside(d.onDevice, array, bytes, "gtsv2")) return CUSPARSE_STATUS_INVALID_VALUE;
  if (!d.inside(d.onDevice, buffer, 64, "gtsv2's buffer")) return CUSPARSE_STATUS_INVALID_VALUE;
  handleOf(handle).stream->put([=] {
    std::vector<double> over(length);
    for (int s = 0; s < count; ++s) {
      std::size_t const first = static_cast<std::size_t>(s) * stride;
      double* const y = x + first;
      double before = 0.0;
      for (int k = 0; k < length; ++k) {
        double const a = lower[first + k];
        double const pivot = diagonal[first + k] - (k > 0 ? a * over[k - 1] : 0.0);
        over[k] = upper[first + k] / pivot;
        before = y[k] = (y[k] - (k > 0 ? a * before : 0.0)) / pivot;
      }
      for (int k = length - 2; k >= 0; --k) y[k] -= over[k] * y[k + 1];
    }
  });
  return CUSPARSE_STATUS_SUCCESS;
}
// Nobody asks for these here.
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t*, int64_t, void*, cudaDataType) {
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t) {
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, void const*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         void const*, cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, std::size_t*) {
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, void const*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         void const*, cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, void*) {
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t, cusparseOperation_t, void const*,
                              cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, void const*,
                              cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*) {
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         void const*, cusparseConstSpMatDescr_t,
                                         cusparseConstDnMatDescr_t, void const*,
                                         cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         void*) {
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}
