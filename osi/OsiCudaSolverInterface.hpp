// SPDX-License-Identifier: EPL-2.0
#pragma once

// Some of these are here for programs that were written for OsiClp, whose header brings them along.
#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "CoinFinite.hpp"
#include "CoinHelperFunctions.hpp"
#include "CoinIndexedVector.hpp"
#include "CoinPackedMatrix.hpp"
#include "CoinSort.hpp"
#include "CoinWarmStartBasis.hpp"
#include "OsiSolverInterface.hpp"

// Methods that Osi declares from 3.0 on, which is where CoinUtils has this header.
#if __has_include("CoinTypes.h")
#define OSI_CUDA_SINCE_3 override
#else
#define OSI_CUDA_SINCE_3
#endif

namespace osi_cuda {
struct Callbacks;
struct LinearProgram;
struct Options;
struct Solution;
class Solver;
namespace readers {
enum class FileFormat;
enum class Format;
}  // namespace readers
}  // namespace osi_cuda

/// An OsiSolverInterface on osi_cuda::Solver, on a CUDA device or the processor. An application
/// that holds an OsiSolverInterface* changes the line that makes it.
///
/// - Infinity is COIN_DBL_MAX; a bound beyond 1e27 counts as infinite.
/// - Slacks have coefficient +1: row i reads a_i x + s_i = const. A tight <= row has its slack at
///   the lower bound, a tight >= row at the upper.
/// - Duals are d(objective)/d(right-hand side) in the user's sense, reduced costs are d = c - A'y.
/// - Pointers to bounds, costs, solution, duals and activities stay where they are, with live
///   content, until rows or columns are added, deleted or loaded.
/// - An engine (device memory, threads) is made by the first solve and kept: changes of bounds and
///   costs cost the next solve a few vectors. Clones own all they have; engines are not cloned.
///   Different objects may be used from different threads.
///
/// Wrong use throws CoinError. Infeasible, unbounded and unfinished problems are no errors: see the
/// status functions.
class OsiCudaSolverInterface : public OsiSolverInterface {
 public:
  OsiCudaSolverInterface();
  OsiCudaSolverInterface(OsiCudaSolverInterface const& other);
  OsiCudaSolverInterface& operator=(OsiCudaSolverInterface const& other);
  ~OsiCudaSolverInterface() override;
  OsiSolverInterface* clone(bool copyData = true) const override;
  void reset() override;

  /// Options of the solver that Osi has no parameter for, by the names of the command line:
  /// "engine", "pricing", "time-limit", "threads", ... Throws CoinError for an unknown name or a
  /// value that the option does not take.
  /// One option belongs to this interface: "branches-ahead" "on" is speculative strong branching.
  /// solveFromHotStart then solves further branches of fractional integer columns in advance, one
  /// per thread ("threads") if the engine holds sparse factors, or up to 128 in a launch on a
  /// device. Later calls return them. "auto" does so on a device with engine "auto", where that
  /// took less time so far.
  void setSolverOption(std::string const& name, std::string const& value);
  std::string getSolverOption(std::string const& name) const;
  /// Polled several times a second while solving, also in copies, which may be at work on other
  /// threads: true ends the solve, with isIterationLimitReached. An empty one takes it away.
  void setInterrupt(std::function<bool()> interrupted);
  /// The engine of the last solve: "host", "cuda", or empty before one.
  std::string getEngineName() const;
  /// Seconds of wall time that the last solve took.
  double getSolveSeconds() const;
  /// A rigorous enclosure of the exact optimum that the last solve found, lower <= optimum <= upper
  /// (Neumaier and Shcherbina 2004; Jansson 2004), and the largest distance of a value in it from
  /// getObjValue. An end that is not proved is +-COIN_DBL_MAX: both are after any change of the
  /// problem, until the next solve. After branchAndBound() it is that of the problem with integers:
  /// the point on the one side, the relaxation on the other.
  struct ObjectiveEnclosure {
    double lower = -COIN_DBL_MAX, upper = COIN_DBL_MAX, error = COIN_DBL_MAX;
  };
  ObjectiveEnclosure getObjectiveEnclosure() const;
  /// Of the message handler: 0 warnings, 1 a line a solve, 2 progress. The hint OsiDoReducePrint
  /// sets it to 0, or back to 1, and takes one off while solving.
  void setLogLevel(int level);

  // Solving ------------------------------------------------------------------------------------
  void initialSolve() override;
  void resolve() override;
  /// solveIntegers() (osi_cuda/integers/integer_search.hpp), with the options of this interface:
  /// the best solution, verified, with duals and basis of the problem whose integer columns are
  /// fixed there. A search that a limit or an interrupt ended is told by isIterationLimitReached,
  /// one that proved nothing by isAbandoned. OsiMaxNumIteration and the option time-limit are for
  /// all of it, OsiDualObjectiveLimit is for the relaxation. Throws CoinError where there is no
  /// module with Cbc, and where there are objects besides integer columns and special ordered sets;
  /// sets and semicontinuous columns of a file that was read are kept. See docs/guide/osi.md.
  void branchAndBound() override;
  /// For a CbcModel on this interface: the problem with the same points whose integers are whole,
  /// in a form that Cbc and Cgl take well. Bounds of integer columns are rounded inward, sides of
  /// rows of integer columns move to what whole numbers reach, and free rows are deleted. False:
  /// there is no such point. Exact; nothing is solved.
  bool prepareIntegers();

  // Parameters ---------------------------------------------------------------------------------
  using OsiSolverInterface::getHintParam;
  bool setIntParam(OsiIntParam key, int value) override;
  bool setDblParam(OsiDblParam key, double value) override;
  bool setStrParam(OsiStrParam key, std::string const& value) override;
  bool setHintParam(OsiHintParam key, bool yesNo = true, OsiHintStrength strength = OsiHintTry,
                    void* otherInformation = nullptr) override;
  // False where there is no such key.
  bool getIntParam(OsiIntParam key, int& value) const override;
  bool getDblParam(OsiDblParam key, double& value) const override;
  bool getStrParam(OsiStrParam key, std::string& value) const override;
  bool getHintParam(OsiHintParam key, bool& yesNo, OsiHintStrength& strength,
                    void*& otherInformation) const override;
  bool getHintParam(OsiHintParam key, bool& yesNo, OsiHintStrength& strength) const override;
  bool getHintParam(OsiHintParam key, bool& yesNo) const override;

  // How the last solve ended -------------------------------------------------------------------
  /// Also where a solve has an optimum that takes more than doubles to write down: those that
  /// getColSolution and getRowPrice hand out miss the tolerances, and a warning says by how much.
  bool isAbandoned() const override;
  bool isProvenOptimal() const override;
  bool isProvenPrimalInfeasible() const override;
  bool isProvenDualInfeasible() const override;
  bool isPrimalObjectiveLimitReached() const override;
  bool isDualObjectiveLimitReached() const override;
  /// Also true where the time limit stopped the solve, or the event of an application, and after a
  /// solve from a hot start that proved nothing.
  bool isIterationLimitReached() const override;

  // Warm and hot start -------------------------------------------------------------------------
  CoinWarmStart* getEmptyWarmStart() const override;
  CoinWarmStart* getWarmStart() const override;
  bool setWarmStart(CoinWarmStart const* warmStart) override;
  void markHotStart() override;
  void solveFromHotStart() override;
  void unmarkHotStart() override;
  /// From Osi 3.0 on: a branch of each of these columns, which have to be 0 or 1. One that is
  /// infeasible fixes the column on its other side, where the hot start then is. Returns how many
  /// columns were fixed, negative where the problem has no point. `options` is OsiClp's.
  virtual int solvesFromHotStart(int count, int const* columns, int options) OSI_CUDA_SINCE_3;

  // Strong branching -----------------------------------------------------------------------------
  enum class BranchEnd {
    optimal,     ///< solved to the end
    infeasible,  ///< no point has the new bound, and that is proved
    stopped,     ///< the pivot limit was reached; the bound of the dual simplex holds
    unknown      ///< nothing could be said
  };
  /// One way of a branch.
  struct BranchSide {
    BranchEnd end = BranchEnd::unknown;
    /// By how much the objective gets worse, at least (stopped) or exactly; COIN_DBL_MAX where
    /// there is no point, 0 where nothing is known.
    double degradation = 0.0;
    int iterations = 0;
    std::shared_ptr<CoinWarmStartBasis>
        basis;  ///< where its pivots ended; null: infeasible, unknown
  };
  struct Branch {
    int column = -1;
    double value = 0.0;   ///< of the column in the present solution
    BranchSide down, up;  ///< its upper bound floor(value), its lower bound ceil(value)
  };
  /// Both branches of each of these columns from the present solution, which has to be optimal, all
  /// side by side: on a device a block each, else a thread each (the options `engine` and
  /// `threads`). The present solution stays. A column with a whole value is moved by one to either
  /// side. `pivotLimit` is for each branch; 0: none. Throws CoinError where there is no optimum or
  /// no such column.
  std::vector<Branch> strongBranch(std::vector<int> const& columns, int pivotLimit) const;

  /// What speculative branches came to, summed over this interface and all its copies.
  struct AheadReport {
    long long asked = 0;    ///< branches requested by solveFromHotStart while a batch was available
    long long found = 0;    ///< of these, solved already
    long long batches = 0;  ///< made for the others
    long long branches = 0;  ///< solved in these in advance
    double seconds = 0.0;    ///< wall time of it all
  };
  AheadReport getBranchesAhead() const;

  // The problem --------------------------------------------------------------------------------
  int getNumCols() const override;
  int getNumRows() const override;
  CoinBigIndex getNumElements() const override;
  int getNumIntegers() const override;
  double const* getColLower() const override;
  double const* getColUpper() const override;
  char const* getRowSense() const override;
  double const* getRightHandSide() const override;
  double const* getRowRange() const override;
  double const* getRowLower() const override;
  double const* getRowUpper() const override;
  double const* getObjCoefficients() const override;
  double getObjSense() const override;
  bool isContinuous(int column) const override;
  char const* getColType(bool refresh = false) const override;
  CoinPackedMatrix const* getMatrixByRow() const override;
  /// After rows were added or removed there may be gaps, as in OsiClp's: a column ends at its
  /// length.
  CoinPackedMatrix const* getMatrixByCol() const override;
  /// For changes of coefficients before the next solve, which reads the whole matrix again. Later
  /// ones need another call.
  CoinPackedMatrix* getMutableMatrixByCol() const override;
  double getInfinity() const override;

  // The solution -------------------------------------------------------------------------------
  double const* getColSolution() const override;
  double const* getStrictColSolution() override;
  double const* getRowPrice() const override;
  double const* getReducedCost() const override;
  double const* getRowActivity() const override;
  double getObjValue() const override;
  int getIterationCount() const override;
  std::vector<double*> getDualRays(int maxNumRays, bool fullRay = false) const override;
  std::vector<double*> getPrimalRays(int maxNumRays) const override;

  // Changes of bounds, costs, types ------------------------------------------------------------
  using OsiSolverInterface::setColLower;
  using OsiSolverInterface::setColUpper;
  using OsiSolverInterface::setContinuous;
  using OsiSolverInterface::setInteger;
  void setObjCoeff(int column, double value) override;
  void setObjective(double const* array) override;
  void setObjSense(double sense) override;
  void setColLower(int column, double value) override;
  void setColUpper(int column, double value) override;
  void setColBounds(int column, double lower, double upper) override;
  void setRowLower(int row, double value) override;
  void setRowUpper(int row, double value) override;
  void setRowBounds(int row, double lower, double upper) override;
  void setRowType(int row, char sense, double rightHandSide, double range) override;
  void setRowSetTypes(int const* first, int const* last, char const* senses,
                      double const* rightHandSides, double const* ranges) override;
  void setColSolution(double const* values) override;
  void setRowPrice(double const* values) override;
  void setContinuous(int column) override;
  void setInteger(int column) override;

  // Changes of rows and columns ----------------------------------------------------------------
  using OsiSolverInterface::addCol;
  using OsiSolverInterface::addCols;
  using OsiSolverInterface::addRow;
  using OsiSolverInterface::addRows;
  void addCol(CoinPackedVectorBase const& column, double lower, double upper, double cost) override;
  void addCol(int count, int const* rows, double const* values, double lower, double upper,
              double cost) override;
  void addCols(int count, CoinPackedVectorBase const* const* columns, double const* lower,
               double const* upper, double const* costs) override;
  void addCols(int count, CoinBigIndex const* starts, int const* rows, double const* values,
               double const* lower, double const* upper, double const* costs) override;
  void deleteCols(int count, int const* columns) override;
  void addRow(CoinPackedVectorBase const& row, double lower, double upper) override;
  void addRow(CoinPackedVectorBase const& row, char sense, double rightHandSide,
              double range) override;
  void addRow(int count, int const* columns, double const* values, double lower,
              double upper) override;
  void addRows(int count, CoinPackedVectorBase const* const* rows, double const* lower,
               double const* upper) override;
  void addRows(int count, CoinPackedVectorBase const* const* rows, char const* senses,
               double const* rightHandSides, double const* ranges) override;
  void addRows(int count, CoinBigIndex const* starts, int const* columns, double const* values,
               double const* lower, double const* upper) override;
  void deleteRows(int count, int const* rows) override;
  /// From Osi 3.0 on. A zero is never kept. Throws CoinError where there is no such row or column,
  /// or the value is not finite.
  virtual void modifyCoefficient(int row, int column, double value,
                                 bool keepZero = false) OSI_CUDA_SINCE_3;
  /// From Osi 3.0 on: nothing to do where no entry has the size of `startBigM`, which is how
  /// CoinUtils marks an indicator constraint; else throws CoinError, as there are none here.
  virtual void modifyByIndicators(double startBigM = COIN_DBL_MAX,
                                  double bigM = -1.0e7) OSI_CUDA_SINCE_3;
  void replaceMatrixOptional(CoinPackedMatrix const& matrix) override;
  void replaceMatrix(CoinPackedMatrix const& matrix) override;
  ApplyCutsReturnCode applyCuts(OsiCuts const& cuts, double effectivenessLowerBound = 0.0) override;
  void applyRowCuts(int count, OsiRowCut const* cuts) override;
  void applyRowCuts(int count, OsiRowCut const** cuts) override;

  // Whole problems -----------------------------------------------------------------------------
  void loadProblem(CoinPackedMatrix const& matrix, double const* columnLower,
                   double const* columnUpper, double const* objective, double const* rowLower,
                   double const* rowUpper) override;
  void assignProblem(CoinPackedMatrix*& matrix, double*& columnLower, double*& columnUpper,
                     double*& objective, double*& rowLower, double*& rowUpper) override;
  void loadProblem(CoinPackedMatrix const& matrix, double const* columnLower,
                   double const* columnUpper, double const* objective, char const* rowSense,
                   double const* rightHandSide, double const* rowRange) override;
  void assignProblem(CoinPackedMatrix*& matrix, double*& columnLower, double*& columnUpper,
                     double*& objective, char*& rowSense, double*& rightHandSide,
                     double*& rowRange) override;
  void loadProblem(int columns, int rows, CoinBigIndex const* starts, int const* indices,
                   double const* values, double const* columnLower, double const* columnUpper,
                   double const* objective, double const* rowLower,
                   double const* rowUpper) override;
  void loadProblem(int columns, int rows, CoinBigIndex const* starts, int const* indices,
                   double const* values, double const* columnLower, double const* columnUpper,
                   double const* objective, char const* rowSense, double const* rightHandSide,
                   double const* rowRange) override;

  /// Sense (unless the model says to ignore it), offset, names and integer marks are the model's.
  /// Returns how many texts have no value, which loads nothing. Deleted columns that the model was
  /// not told to pack are columns without entries.
  int loadFromCoinModel(CoinModel& model, bool keepSolution = false) override;

  // Files --------------------------------------------------------------------------------------
  using OsiSolverInterface::readLp;
  using OsiSolverInterface::readMps;
  /// Returns 0, or -1 where the file can't be opened, or 1 where it can't be understood; the
  /// message handler says where and why, and the problem is as it was.
  int readMps(char const* filename, char const* extension = "mps") override;
  /// Also hands over the special ordered sets, read by CoinUtils. The caller deletes each set, and
  /// the array with delete[].
  int readMps(char const* filename, char const* extension, int& numberSets,
              CoinSet**& sets) override;
  int readLp(char const* filename, double epsilon = 1e-5) override;
  void writeMps(char const* filename, char const* extension = "mps",
                double objSense = 0.0) const override;
  void writeLp(char const* filename, char const* extension = "lp", double epsilon = 1e-5,
               int numberAcross = 10, int decimals = 9, double objSense = 0.0,
               bool useRowNames = true) const override;
  void writeLp(FILE* file, double epsilon = 1e-5, int numberAcross = 10, int decimals = 5,
               double objSense = 0.0, bool useRowNames = true) const override;
  /// From Osi 3.0 on: the basis as an MPS basis file, with the names of this interface. Returns 0,
  /// or 1 where the file can't be written.
  virtual int writeBasisNative(char const* filename) const OSI_CUDA_SINCE_3;

  // The simplex interface, level 2 -----------------------------------------------------------
  int canDoSimplexInterface() const override;
  void enableFactorization() const override;
  void disableFactorization() const override;
  bool basisIsAvailable() const override;
  void getBasisStatus(int* columnStatus, int* rowStatus) const override;
  int setBasisStatus(int const* columnStatus, int const* rowStatus) override;
  void getReducedGradient(double* columnReducedCosts, double* duals,
                          double const* costs) const override;
  void getBInvARow(int row, double* z, double* slack = nullptr) const override;
  void getBInvRow(int row, double* z) const override;
  void getBInvACol(int column, double* values) const override;
  void getBInvCol(int row, double* values) const override;
  void getBasics(int* index) const override;
  void enableSimplexInterface(bool doingPrimal) override;
  void disableSimplexInterface() override;
  int pivot(int colIn, int colOut, int outStatus) override;
  int primalPivotResult(int colIn, int sign, int& colOut, int& outStatus, double& t,
                        CoinPackedVector* dx) override;
  int dualPivotResult(int& colIn, int& sign, int colOut, int outStatus, double& t,
                      CoinPackedVector* dx) override;

 protected:
  /// An optimum that takes two doubles for a number is one from now on, also in copies, though the
  /// first ones alone, which are handed out, miss the tolerances; else isAbandoned says so.
  void takePointsInTwoParts();

  void applyRowCut(OsiRowCut const& cut) override;
  void applyColCut(OsiColCut const& cut) override;

 private:
  struct State;

  void takeNames(osi_cuda::LinearProgram const& lp);
  void verifyDoubles(osi_cuda::Options const& options);
  void dropNames();
  void dropNames(std::vector<int> const& gone, bool ofRows);
  void solve(bool initial, int iterationLimit);
  void takeAnswer(osi_cuda::Solution&& solution, osi_cuda::Options const& options);
  int printReduction() const;
  double doubleParam(OsiDblParam key) const;
  void prepareBranchesAhead(osi_cuda::Options const& options);
  bool takeBranchAhead(int iterationLimit);
  osi_cuda::Options optionsOfSolve(bool initial, int iterationLimit) const;
  osi_cuda::Solution runSolver(osi_cuda::Options const& options,
                               osi_cuda::Callbacks const& callbacks, double offset);

  osi_cuda::Solver& tableau(char const* method) const;
  std::vector<int> const& basicVariables() const;
  void evaluateBasis();
  void takePoint();

  int readFile(std::string const& path, osi_cuda::readers::Format format);
  void takeFile(osi_cuda::LinearProgram const& lp, bool namesSense);
  osi_cuda::LinearProgram modelForFile(double objSense, bool useRowNames = true) const;
  void writeFile(std::string const& path, osi_cuda::LinearProgram const& lp,
                 osi_cuda::readers::FileFormat format) const;

  std::unique_ptr<State> state_;
};

#undef OSI_CUDA_SINCE_3
