/* SPDX-License-Identifier: EPL-2.0 */
#ifndef OSI_CUDA_H
#define OSI_CUDA_H

/*
 * The C interface of osi_cuda, plain C11: a linear program
 *
 *     min or max  c'x + offset   subject to   row_lower <= A x <= row_upper,
 *                                             column_lower <= x <= column_upper
 *
 * with m rows and n columns, changed in place and solved again from the last basis. Link with
 * -losi_cuda.
 *
 * Errors. A function that returns int returns OSI_CUDA_OK or a code > 0, unless it says otherwise;
 * osi_cuda_message then has the error message. A call that fails changes
 * nothing. An infeasible problem is no error: see osi_cuda_status.
 *
 * Arrays belong to the caller and are copied or filled during the call, but for
 * osi_cuda_borrow_dense, osi_cuda_borrow_device_dense and batches. Rows and columns are
 * counted from 0. The library can't see how long an array is: the caller answers for the lengths
 * that are given here, and for steps. What it can see it checks: sizes, offsets, indices and
 * numbers. Absent bounds are +-INFINITY of math.h, or of size 1e20 or more (option infinity; the
 * log callback hears how many finite ones there were, but for batches and variants, which take the
 * problem's option unless the batch has another one). Costs and coefficients have to be finite,
 * and no number may be a NaN. An array of length 0 may be NULL.
 *
 * Strings that are returned belong to the library. Those that do not take a problem live as long as
 * the program; those of a problem until the same thread's next call with it that returns a string.
 *
 * Threads. Different problems may be used from different threads at the same time. A call with a
 * problem that is being used by another thread, or by one of its own callbacks, does nothing and
 * returns OSI_CUDA_BUSY; only osi_cuda_interrupt may be called at any time. In a process that was
 * forked off after a solve, or after a matrix of 200,000 entries was loaded, calls work on threads
 * of their own, which callbacks are called on; with NVIDIA's driver in the process both return
 * OSI_CUDA_UNAVAILABLE: it does not come along. Start such workers before, or by exec.
 */

#include <stddef.h>
#include <stdint.h>

#define OSI_CUDA_VERSION_MAJOR 0
#define OSI_CUDA_VERSION_MINOR 1
#define OSI_CUDA_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

typedef struct osi_cuda_problem osi_cuda_problem;

/* Results of a call. */
enum {
  OSI_CUDA_OK = 0,
  OSI_CUDA_BAD_ARGUMENT = 1, /* an invalid pointer, size, number, option or text */
  OSI_CUDA_NO_MEMORY = 2,
  OSI_CUDA_NO_FILE = 3,      /* a file that does not exist or can't be opened */
  OSI_CUDA_BAD_FILE = 4,     /* the message says FILE:LINE:COLUMN, what was expected and found */
  OSI_CUDA_CANNOT_WRITE = 5, /* a file that can't be written */
  OSI_CUDA_UNAVAILABLE = 6,  /* the requested engine or device is not available */
  OSI_CUDA_NOTHING = 7,      /* there is no solution, or it has no such part */
  OSI_CUDA_BUSY = 8,         /* the problem is in use; this code leaves no message of its own */
  OSI_CUDA_INTERRUPTED = 9,  /* reading a file was interrupted; a solve has a status instead */
  OSI_CUDA_INTERNAL = 10,    /* a fault of the library */
  OSI_CUDA_LOST = 11         /* a device failed during the call, and option device-loss is stop */
};

/* How a solve ended. */
enum {
  OSI_CUDA_STATUS_NONE = -1, /* not solved since the problem was loaded or changed */
  OSI_CUDA_STATUS_OPTIMAL = 0,
  OSI_CUDA_STATUS_INFEASIBLE = 1,
  OSI_CUDA_STATUS_UNBOUNDED = 2,
  OSI_CUDA_STATUS_OBJECTIVE_LIMIT = 3, /* the optimum is proved to be beyond the objective limit */
  OSI_CUDA_STATUS_ITERATION_LIMIT = 4,
  OSI_CUDA_STATUS_TIME_LIMIT = 5,
  OSI_CUDA_STATUS_INTERRUPTED = 6,
  OSI_CUDA_STATUS_NUMERICAL = 7, /* no status could be proved; OSI_CUDA_TEXT_MESSAGE says more */
  OSI_CUDA_STATUS_INTERIOR =
      8,                      /* with option crossover off: optimal within tolerances, no vertex */
  OSI_CUDA_STATUS_INVALID = 9 /* in a batch: a number that no problem can have */
};

/* On what a status rests. */
enum {
  OSI_CUDA_PROOF_NONE = 0,      /* nothing is claimed */
  OSI_CUDA_PROOF_TOLERANCE = 1, /* the residuals of the point, or a bound by its multipliers */
  OSI_CUDA_PROOF_EXTENDED = 2,  /* a certificate that holds to 1e-20 of its terms */
  OSI_CUDA_PROOF_EXACT = 3      /* rational arithmetic */
};

/* Where a variable stands in a basis. For a row it speaks of the row's activity. */
enum {
  OSI_CUDA_AT_LOWER = 0, /* nonbasic at the lower bound, or fixed */
  OSI_CUDA_AT_UPPER = 1,
  OSI_CUDA_FREE = 2, /* nonbasic without a bound to rest on */
  OSI_CUDA_BASIC = 3
};

enum { OSI_CUDA_MINIMIZE = 0, OSI_CUDA_MAXIMIZE = 1 };

/* Arrays that a solution has, for osi_cuda_get_values. */
enum {
  OSI_CUDA_COLUMN_VALUES = 0, /* x, length n */
  OSI_CUDA_ROW_ACTIVITY = 1,  /* A x, length m */
  OSI_CUDA_ROW_DUALS = 2,     /* y, length m: d(objective) / d(right-hand side) */
  OSI_CUDA_REDUCED_COSTS = 3, /* c - A'y, length n */
  /* With OSI_CUDA_STATUS_INFEASIBLE: Farkas multipliers y, length m: no x within its bounds has
   * y'(A x) in the range of y'r over row activities r within the row bounds (Farkas 1902). */
  OSI_CUDA_FARKAS = 4,
  /* With OSI_CUDA_STATUS_UNBOUNDED: a direction, length n, along which x stays feasible and the
   * objective improves without limit. */
  OSI_CUDA_RAY = 5,
  /* Low parts of values, duals, multipliers and ray, lost to rounding: the exact sum of both parts
   * is what was proved. Zeros, nearly always: the first part alone is proved. */
  OSI_CUDA_COLUMN_VALUES_LOW = 6,
  OSI_CUDA_ROW_DUALS_LOW = 7,
  OSI_CUDA_FARKAS_LOW = 8,
  OSI_CUDA_RAY_LOW = 9
};

/* Numbers that a solution has, for osi_cuda_get_number. */
enum {
  OSI_CUDA_OBJECTIVE = 0,  /* c'x + offset */
  OSI_CUDA_ITERATIONS = 1, /* pivots and bound flips */
  OSI_CUDA_PHASE1_ITERATIONS = 2,
  OSI_CUDA_SECONDS = 3, /* wall time */
  /* Infeasible: every point violates some bound b by at least margin (1 + |b|). Unbounded: it stays
   * so while costs c change by less than margin (1 + |c|). */
  OSI_CUDA_MARGIN = 4,
  /* Residuals are upper bounds: they include the rounding of their sums (Ogita, Rump and Oishi
   * 2005). */
  OSI_CUDA_PRIMAL_RESIDUAL = 5, /* largest violation v of a bound b, v / (1 + |b|) */
  OSI_CUDA_DUAL_RESIDUAL = 6,   /* largest wrong-signed reduced cost d, |d| / (1 + |c|) */
  OSI_CUDA_COMPLEMENTARITY = 7, /* |primal - dual objective| / (1 + |primal objective|) */
  OSI_CUDA_DEVICE_LOST = 8      /* 1: a device failed during the solve, and the host took over */
};

/* Another one: iterations of the interior point method, which are not among OSI_CUDA_ITERATIONS. */
enum { OSI_CUDA_BARRIER_ITERATIONS = 9 };
/* How many phases ran, for osi_cuda_get_phase. */
enum { OSI_CUDA_PHASES = 16 };
/* Columns that the solve took as continuous although they are integer or semicontinuous, and
 * special ordered sets that it did not look at; values are those of the relaxation. A log callback
 * is told. osi_cuda_solve_integers keeps them all: 0. */
enum { OSI_CUDA_RELAXED_INTEGERS = 17, OSI_CUDA_RELAXED_SEMICONTINUOUS = 18 };
enum { OSI_CUDA_RELAXED_SETS = 19 };
/* The status that is proved in rational arithmetic, which may be another one than that within the
 * tolerances; OSI_CUDA_STATUS_NONE: none. */
enum { OSI_CUDA_EXACT_STATUS = 20 };

/* Others, of osi_cuda_solve_integers; OSI_CUDA_NOTHING after another solve. */
enum {
  OSI_CUDA_BOUND = 10, /* no integer point is better */
  OSI_CUDA_GAP = 11,   /* of objective and bound, over the larger absolute value; may be INFINITY */
  OSI_CUDA_NODES = 12,
  OSI_CUDA_CUTS = 13,            /* made by the generators */
  OSI_CUDA_LINEAR_PROGRAMS = 14, /* solved by the search */
  OSI_CUDA_POINT_PROOF = 15      /* that of the point, OSI_CUDA_PROOF_ */
};

/* Texts of a solution, for osi_cuda_text. */
enum {
  OSI_CUDA_TEXT_STATUS = 0,  /* "optimal", "iteration_limit", ... */
  OSI_CUDA_TEXT_MESSAGE = 1, /* why no status could be proved, else "" */
  OSI_CUDA_TEXT_ENGINE = 2,  /* "host" or "cuda" */
  OSI_CUDA_TEXT_DEVICE = 3,
  OSI_CUDA_TEXT_ALGORITHM = 4, /* "primal" or "dual": the one that was started */
  OSI_CUDA_TEXT_PRICING = 5,
  OSI_CUDA_TEXT_PROOF = 6,           /* the grade: "none", "tolerance", "extended", "exact" */
  OSI_CUDA_TEXT_EXACT_OBJECTIVE = 7, /* with option exact: the objective as a fraction */
  OSI_CUDA_TEXT_EXACT_DIGITS = 8,    /* the same in 30 significant digits */
  OSI_CUDA_TEXT_EXACT_MESSAGE = 9    /* what is proved, or what fails and by how much */
};

/* ---- the library ------------------------------------------------------------------------------
 */

/* "0.1.0" */
char const* osi_cuda_version(void);

/* The general message of a code; also for a number that is no code. */
char const* osi_cuda_code_text(int code);

/* "optimal", "infeasible", ...; "none" for OSI_CUDA_STATUS_NONE and for a number that is no status.
 */
char const* osi_cuda_status_text(int status);

/* The options, counted from 0. Each is set by name and text: docs/reference/options.md has
 * the table. NULL for a number that there is not. */
int osi_cuda_option_count(void);
char const* osi_cuda_option_name(int option);
char const* osi_cuda_option_values(int option);  /* "none or a number >= 0" */
char const* osi_cuda_option_default(int option); /* "none" */
char const* osi_cuda_option_help(int option);

/* ---- a problem --------------------------------------------------------------------------------
 */

/* A problem without rows and columns, and default options. NULL: there is no memory. */
osi_cuda_problem* osi_cuda_create(void);

/* Gives it all back. NULL is allowed. Must not be called while the problem is in use. */
void osi_cuda_free(osi_cuda_problem* problem);

/* The error message of this thread's last call with this problem that failed (but OSI_CUDA_BUSY);
 * where none has failed, of the last one of any thread, or "". NULL gets a message, too. */
char const* osi_cuda_message(osi_cuda_problem const* problem);

/* Problem, options and basis into a new problem, `*copy`; solution and callbacks stay behind. */
int osi_cuda_copy(osi_cuda_problem* problem, osi_cuda_problem** copy);

/* Options, by name: osi_cuda_set_option(problem, "algorithm", "dual"). */
int osi_cuda_set_option(osi_cuda_problem* problem, char const* name, char const* value);
/* NULL: there is no such option, and osi_cuda_message says so. */
char const* osi_cuda_get_option(osi_cuda_problem* problem, char const* name);

/* ---- loading ----------------------------------------------------------------------------------
 */

/*
 * These replace the problem: it minimises, has no offset and no names, and the next solve starts
 * from slacks. column_lower, column_upper and costs have length n, row_lower and row_upper m. NULL
 * for an array stands for 0 <= x < INFINITY, for rows without that bound, or for costs of 0.
 */

/* A dense matrix: the coefficient of row i and column j is matrix[i * row_step + j * column_step],
 * so that a matrix by rows has the steps (n, 1), one by columns (1, m); any other part of an array
 * will do. Steps count numbers, not bytes, and may be negative. Where at least two thirds of the
 * coefficients are not zero the library keeps a copy of all of them, 8 bytes each, else 12 bytes
 * for each that is not zero. */
int osi_cuda_load_dense(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                        double const* matrix, int64_t row_step, int64_t column_step,
                        double const* column_lower, double const* column_upper,
                        double const* row_lower, double const* row_upper, double const* costs);

/* The same without a copy of the matrix, where at least two thirds of the coefficients are not zero
 * and it lies without gaps, by rows or by columns; any other one is copied. The caller keeps the
 * numbers where and as they are until the problem is loaded anew or freed, and as long as there are
 * copies of it (osi_cuda_copy). Changes of coefficients, rows or columns make a copy first. */
int osi_cuda_borrow_dense(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                          double const* matrix, int64_t row_step, int64_t column_step,
                          double const* column_lower, double const* column_upper,
                          double const* row_lower, double const* row_upper, double const* costs);
/* The same for a matrix in the memory of a CUDA device, where it has to lie without gaps. `stream`
 * is the cudaStream_t in whose order it was written, NULL for CUDA's default stream: the call waits
 * for it. The engine of the same device (option `device`) uses the numbers where they lie; what is
 * done on the host, such as proofs, has a copy of them there, 8 bytes each, until the problem is
 * loaded anew or freed. The vectors lie on the host. */
int osi_cuda_borrow_device_dense(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                                 double const* matrix, int64_t row_step, int64_t column_step,
                                 void* stream, double const* column_lower,
                                 double const* column_upper, double const* row_lower,
                                 double const* row_upper, double const* costs);
/* 1: the problem uses the caller's numbers, 0: it does not, -1: for NULL and for a problem that is
 * in use. */
int osi_cuda_borrows(osi_cuda_problem* problem);

/* A matrix by columns (CSC): column j has the entries starts[j], ..., starts[j + 1] - 1 of
 * `rows_of` and `values`. `starts` has length n + 1, begins with 0 and ascends. No entry twice. */
int osi_cuda_load_columns(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                          int64_t const* starts, int32_t const* rows_of, double const* values,
                          double const* column_lower, double const* column_upper,
                          double const* row_lower, double const* row_upper, double const* costs);

/* A matrix by rows (CSR): row i has the entries starts[i], ..., starts[i + 1] - 1 of `columns_of`
 * and `values`. `starts` has length m + 1. */
int osi_cuda_load_rows(osi_cuda_problem* problem, int32_t rows, int32_t columns,
                       int64_t const* starts, int32_t const* columns_of, double const* values,
                       double const* column_lower, double const* column_upper,
                       double const* row_lower, double const* row_upper, double const* costs);

/* A file: MPS, CPLEX LP, lp_solve LP, AMPL's .nl or NumPy's .npz, told apart by content, plain or
 * compressed (gzip, bzip2, xz, Zstandard); "-" is standard input. What the reader decides goes to
 * the log callback. OSI_CUDA_INTERRUPTED where osi_cuda_interrupt, the callback or the option
 * time-limit ended it. */
int osi_cuda_read(osi_cuda_problem* problem, char const* path);

/* A stochastic program in SMPS files: the problem becomes the core, and the scenarios stay with it
 * until another one is loaded. Without `time` and `stoch` (NULL) those that lie beside the core are
 * read: the same name with .tim or .time, and .sto or .stoch. */
int osi_cuda_read_stochastic(osi_cuda_problem* problem, char const* core, char const* time,
                             char const* stoch);

/* By the ending: .mps is MPS, .lp CPLEX LP, .lps lp_solve's LP format. */
int osi_cuda_write(osi_cuda_problem* problem, char const* path);

/* Basis files (MPS format, also of other solvers) and solution files (.sol, .json, .glpsol). */
int osi_cuda_read_basis(osi_cuda_problem* problem, char const* path);
int osi_cuda_write_basis(osi_cuda_problem* problem, char const* path);
int osi_cuda_write_solution(osi_cuda_problem* problem, char const* path);
/* What proves the status of the last solve, as exact fractions: .json, or .vipr for VIPR's checker.
 * The proof is made by this call, until the interrupt callback ends it. After a solve with the
 * option exact "on" the basis has one wherever one is found. OSI_CUDA_NOTHING without a proof. */
int osi_cuda_write_proof(osi_cuda_problem* problem, char const* path);

/* ---- fractions --------------------------------------------------------------------------------
 */

/*
 * Exact proofs (option exact "on") take doubles for the rationals that they are or, of problems
 * read from text, for decimals (option exact-numbers). Others are given as doubles that stand for
 * them:
 *
 *     osi_cuda_fractions(problem, 2, (int64_t[]){1, 2}, (int64_t[]){3, 7}, costs);
 *     osi_cuda_load_dense(problem, ..., costs);
 *
 * Each fraction gets the nearest double, or a neighbour where that one stands for another fraction,
 * and a double that is given to this problem from then on, in any array, stands for its fraction. A
 * file that is read while exact is "on" has its own numbers: decimals of any length, and "1/3".
 */

/* The doubles that stand for numerators[k] / denominators[k], denominators > 0. */
int osi_cuda_fractions(osi_cuda_problem* problem, int64_t length, int64_t const* numerators,
                       int64_t const* denominators, double* numbers);
/* The same for texts of any length: "-1/3", "0.25", "1e-400". */
int osi_cuda_fraction_texts(osi_cuda_problem* problem, int64_t length, char const* const* texts,
                            double* numbers);
/* `number` > 0 stands for `text`; and the doubles that stand for fractions, counted from 0, until
 * OSI_CUDA_NOTHING. 1: other doubles stand for decimals, as the problem was read from text; else 0.
 * For whoever stores a problem and makes it anew. */
int osi_cuda_set_fraction(osi_cuda_problem* problem, double number, char const* text);
int osi_cuda_get_fraction(osi_cuda_problem* problem, int64_t index, double* number,
                          char const** text);
int osi_cuda_get_decimals(osi_cuda_problem* problem, int* decimals);
int osi_cuda_set_decimals(osi_cuda_problem* problem, int decimals);

/* Number `index` of an exact array of the last solution, "-1/3" or "2": OSI_CUDA_COLUMN_VALUES,
 * _ROW_DUALS, _REDUCED_COSTS, _FARKAS or _RAY. The first call makes them all, as
 * osi_cuda_write_proof does. NULL without an exact proof or such an array. The objective:
 * OSI_CUDA_TEXT_EXACT_OBJECTIVE. */
char const* osi_cuda_exact_text(osi_cuda_problem* problem, int which, int32_t index);

/* ---- stochastic programs ----------------------------------------------------------------------
 */

/* What a scenario changes, besides the kinds of variants (below): the finite sides of a row. */
enum { OSI_CUDA_CHANGE_RIGHT_HAND_SIDE = 6 };

/* The scenarios of a problem that osi_cuda_read_stochastic read. `sizes`: T periods, S scenarios, C
 * changes in all. `row_periods` (m) and `column_periods` (n) count periods from 0. Scenario s has
 * probabilities[s], is in node nodes[s T + t] of the tree in period t, and has the changes
 * starts[s], ..., starts[s + 1] - 1 (S + 1): kinds, rows (-1: none), columns (-1: none), values. Of
 * two changes of one number the last one counts. Any array may be NULL. OSI_CUDA_NOTHING where
 * there are no scenarios, or the problem got other rows or columns. */
int osi_cuda_get_stochastic(osi_cuda_problem* problem, int64_t* sizes, int32_t* row_periods,
                            int32_t* column_periods, double* probabilities, int32_t* nodes,
                            int64_t* starts, int32_t* kinds, int32_t* rows, int32_t* columns,
                            double* values);

/* The same scenarios for a problem with the core's rows and columns, which was made anew; `periods`
 * has the names of the T periods. No array may be NULL. */
int osi_cuda_set_stochastic(osi_cuda_problem* problem, int64_t const* sizes,
                            char const* const* periods, int32_t const* row_periods,
                            int32_t const* column_periods, double const* probabilities,
                            int32_t const* nodes, int64_t const* starts, int32_t const* kinds,
                            int32_t const* rows, int32_t const* columns, double const* values);

/* The deterministic equivalent, a new problem with the options of this one, of the core as it is
 * now: rows and columns of each period once for each node, costs times its probability. The k-th
 * node of a period after the first gives its names ".k". */
int osi_cuda_equivalent(osi_cuda_problem* problem, osi_cuda_problem** equivalent);

/* ---- what the problem is ----------------------------------------------------------------------
 */

/* -1 for NULL and for a problem that is in use. */
int32_t osi_cuda_rows(osi_cuda_problem* problem);
int32_t osi_cuda_columns(osi_cuda_problem* problem);
int64_t osi_cuda_nonzeros(osi_cuda_problem* problem);

/* `sense` and `offset` may be NULL. */
int osi_cuda_get_objective(osi_cuda_problem* problem, int* sense, double* offset);
/* Lengths n, n and m; each array may be NULL. */
int osi_cuda_get_costs(osi_cuda_problem* problem, double* costs);
int osi_cuda_get_column_bounds(osi_cuda_problem* problem, double* lower, double* upper);
int osi_cuda_get_row_bounds(osi_cuda_problem* problem, double* lower, double* upper);
/* By columns, as osi_cuda_load_columns takes it: lengths n + 1, nonzeros, nonzeros; each may be
 * NULL. */
int osi_cuda_get_matrix(osi_cuda_problem* problem, int64_t* starts, int32_t* rows_of,
                        double* values);
/* A single row (length n) or column (length m) of A, with its zeros. */
int osi_cuda_get_row(osi_cuda_problem* problem, int32_t row, double* values);
int osi_cuda_get_column(osi_cuda_problem* problem, int32_t column, double* values);
/* The name of a file, or R1, R2, ... and C1, C2, ... NULL: there is no such row or column. */
char const* osi_cuda_row_name(osi_cuda_problem* problem, int32_t row);
char const* osi_cuda_column_name(osi_cuda_problem* problem, int32_t column);

/* What has a name of its own, for osi_cuda_name. */
enum {
  OSI_CUDA_NAME_PROBLEM = 0,
  OSI_CUDA_NAME_OBJECTIVE = 1,
  OSI_CUDA_NAME_ROW = 2,
  OSI_CUDA_NAME_COLUMN = 3,
  OSI_CUDA_NAME_PERIOD = 4 /* of a stochastic program */
};
enum { OSI_CUDA_NAME_SET = 5 }; /* of a special ordered set */

/* A name as it was given; "" where there is none. `number` is that of the row or column, else 0.
 * NULL: there is no such row, column or kind. */
char const* osi_cuda_name(osi_cuda_problem* problem, int which, int32_t number);
/* 1 for each integer column (length n), which osi_cuda_solve takes for a continuous one, else 0. */
int osi_cuda_get_integers(osi_cuda_problem* problem, uint8_t* marks);
/* How many semicontinuous columns there are, which osi_cuda_solve takes for continuous ones. 0
 * makes all of them such columns; another `count` has to be the present one. */
int osi_cuda_get_semicontinuous(osi_cuda_problem* problem, int32_t* count);
int osi_cuda_set_semicontinuous(osi_cuda_problem* problem, int32_t count);
/* These `count` columns alone are 0 or within their bounds, which 0 joins; with `on`: <= 0 or >=
 * on[k] > 0, or >= 0 or <= on[k] < 0. Getting them takes arrays of osi_cuda_get_semicontinuous'
 * length. */
int osi_cuda_get_semicontinuous_columns(osi_cuda_problem* problem, int32_t* columns, double* on);
int osi_cuda_set_semicontinuous_columns(osi_cuda_problem* problem, int32_t count,
                                        int32_t const* columns, double const* on);
/* Special ordered sets in place of those before, which osi_cuda_solve does not look at: of set s,
 * columns[k] with weights[k] for starts[s] <= k < starts[s + 1], in any order, at most types[s] (1
 * or 2) are nonzero, two as neighbours in the order of weights. `starts` has length count + 1. Sets
 * of lower priorities are branched on first; NULL: all 0. `names` may be NULL; osi_cuda_name() has
 * them. Getting them, each pointer may be NULL; `members` is the length of `columns`. */
int osi_cuda_get_ordered_sets(osi_cuda_problem* problem, int32_t* count, int64_t* members,
                              int32_t* types, int32_t* priorities, int64_t* starts,
                              int32_t* columns, double* weights);
int osi_cuda_set_ordered_sets(osi_cuda_problem* problem, int32_t count, int32_t const* types,
                              int32_t const* priorities, int64_t const* starts,
                              int32_t const* columns, double const* weights,
                              char const* const* names);

/* ---- changes ----------------------------------------------------------------------------------
 */

/*
 * They keep the basis, from which the next solve starts, and drop the solution. Each takes `count`
 * numbers of rows or columns and as many new values. Without numbers (NULL), `count` has to be all
 * of them, m or n.
 */

/* `lower` or `upper` may be NULL: those bounds stay. */
int osi_cuda_set_column_bounds(osi_cuda_problem* problem, int32_t count, int32_t const* columns,
                               double const* lower, double const* upper);
int osi_cuda_set_row_bounds(osi_cuda_problem* problem, int32_t count, int32_t const* rows,
                            double const* lower, double const* upper);
/* The right-hand sides of equations (both bounds) and of rows with one finite bound (that one). A
 * row of another kind is an error. */
int osi_cuda_set_right_hand_sides(osi_cuda_problem* problem, int32_t count, int32_t const* rows,
                                  double const* values);
int osi_cuda_set_costs(osi_cuda_problem* problem, int32_t count, int32_t const* columns,
                       double const* costs);
/* OSI_CUDA_MINIMIZE or OSI_CUDA_MAXIMIZE. */
int osi_cuda_set_sense(osi_cuda_problem* problem, int sense);
int osi_cuda_set_offset(osi_cuda_problem* problem, double offset);
/* Coefficients in row rows[k] and column columns[k]; 0 takes one out. The next solve forms its
 * tableau anew, so that many at once are cheaper than many calls. */
int osi_cuda_set_coefficients(osi_cuda_problem* problem, int64_t count, int32_t const* rows,
                              int32_t const* columns, double const* values);

/* Names for files: of the problem, the objective, all rows (length m) and all columns (length n);
 * NULL for one of them: none. */
int osi_cuda_set_names(osi_cuda_problem* problem, char const* name, char const* objective,
                       char const* const* rows, char const* const* columns);
/* Which columns a file marks as integer: 0 or 1 for each (length n); NULL: none. */
int osi_cuda_set_integers(osi_cuda_problem* problem, uint8_t const* marks);

/* New rows and columns come last; names are dropped. By rows (CSR) and by columns (CSC), or dense
 * as osi_cuda_load_dense takes it, where the new rows are count x n, the new columns m x count.
 * NULL for bounds and costs as there. */
int osi_cuda_add_rows(osi_cuda_problem* problem, int32_t count, int64_t const* starts,
                      int32_t const* columns_of, double const* values, double const* lower,
                      double const* upper);
int osi_cuda_add_rows_dense(osi_cuda_problem* problem, int32_t count, double const* matrix,
                            int64_t row_step, int64_t column_step, double const* lower,
                            double const* upper);
int osi_cuda_add_columns(osi_cuda_problem* problem, int32_t count, int64_t const* starts,
                         int32_t const* rows_of, double const* values, double const* lower,
                         double const* upper, double const* costs);
int osi_cuda_add_columns_dense(osi_cuda_problem* problem, int32_t count, double const* matrix,
                               int64_t row_step, int64_t column_step, double const* lower,
                               double const* upper, double const* costs);
/* In any order, none twice; the rest moves up. */
int osi_cuda_delete_rows(osi_cuda_problem* problem, int32_t count, int32_t const* rows);
int osi_cuda_delete_columns(osi_cuda_problem* problem, int32_t count, int32_t const* columns);

/* ---- solving ----------------------------------------------------------------------------------
 */

/* Called on the thread that solves or reads, with `data` as it was given. They must not throw, jump
 * out or use the problem. NULL for a function takes the callback away. */
typedef void osi_cuda_log_function(void* data, char const* message);
/* `infeasibility` is the sum that the running algorithm removes; `phase` "primal 1", "primal 2",
 * "dual 1" or "dual 2". */
typedef void osi_cuda_progress_function(void* data, int64_t iterations, double seconds,
                                        double objective, double infeasibility, char const* phase);
/* Polled several times a second; any other result than 0 ends the solve soon, with the best point
 * so far and OSI_CUDA_STATUS_INTERRUPTED. */
typedef int osi_cuda_interrupt_function(void* data);

int osi_cuda_set_log(osi_cuda_problem* problem, osi_cuda_log_function* function, void* data);
int osi_cuda_set_progress(osi_cuda_problem* problem, osi_cuda_progress_function* function,
                          void* data);
int osi_cuda_set_interrupt(osi_cuda_problem* problem, osi_cuda_interrupt_function* function,
                           void* data);

/* Solves from the last basis: that of the last solve, of osi_cuda_set_basis, or the slacks. Returns
 * OSI_CUDA_OK whatever the problem turns out to be; osi_cuda_status tells. */
int osi_cuda_solve(osi_cuda_problem* problem);

/* An incumbent, a better integer point than those before: its values (length n) are those of the
 * search, not yet proved. `bound` as OSI_CUDA_BOUND. Called as the other callbacks are. */
typedef void osi_cuda_incumbent_function(void* data, double seconds, int64_t nodes,
                                         double objective, double bound, double const* values);

/* Solves with the columns of osi_cuda_set_integers kept to whole numbers: branch and cut by Cbc, in
 * a module that is opened now, on this library's simplex. OSI_CUDA_UNAVAILABLE where there is none;
 * the message says where to get it. Options of the search: absolute-gap, relative-gap, node-limit,
 * search-threads, cuts, search. With search=own, without the module, and on dense rows this
 * library's own branch and bound runs, and proves OSI_CUDA_BOUND; elsewhere it tries to prove Cbc's
 * (osi_cuda_proof() says so). `start`: values of the integer columns to begin with
 * (length n; those of other columns do not matter), `incumbent`: called for each; both may be NULL.
 * Semicontinuous columns and special ordered sets are kept by the own search alone:
 * OSI_CUDA_BAD_ARGUMENT with search=cbc.
 *
 * Status OSI_CUDA_STATUS_OPTIMAL: within the gaps; _ITERATION_LIMIT: also the node limit. After a
 * limit or an interrupt the best point so far is the solution; without one its objective is a NaN
 * and it has no values. Duals, reduced costs and residuals are those of the problem with its
 * integers fixed there. osi_cuda_get_objective_enclosure has what is proved of the optimum: the
 * point on the one side, the relaxation on the other. OSI_CUDA_BOUND and a status _INFEASIBLE of
 * OSI_CUDA_PROOF_NONE are claims of the search. */
int osi_cuda_solve_integers(osi_cuda_problem* problem, double const* start,
                            osi_cuda_incumbent_function* incumbent, void* data);

/* Ends the solve or the reading of a file that runs, soon. From any thread, and from a signal
 * handler. Without one it does nothing. */
void osi_cuda_interrupt(osi_cuda_problem* problem);

/* The basis: one status for each column (length n) and each row (length m). Before the first solve
 * it is that of slacks. A basis that is singular or has not m basic variables is repaired by the
 * next solve. */
int osi_cuda_get_basis(osi_cuda_problem* problem, uint8_t* columns, uint8_t* rows);
int osi_cuda_set_basis(osi_cuda_problem* problem, uint8_t const* columns, uint8_t const* rows);
/* Back to slacks. */
int osi_cuda_forget_basis(osi_cuda_problem* problem);
/* The next solve, and no other, starts from an approximate optimum instead of the basis: values of
 * columns `x` (length n) and row duals `y` (length m, signs as in OSI_CUDA_ROW_DUALS), of any
 * method and accuracy. NULL: not known; both NULL: from the basis after all. A point that is far
 * from an optimum is not used, which the log says. OSI_CUDA_BAD_ARGUMENT for a number that is not
 * finite. */
int osi_cuda_set_start(osi_cuda_problem* problem, double const* x, double const* y);
/* The basis matrix B has one column for each of the m positions: that of A for the basic variable
 * j < n, a unit column for the slack n + i of row i, where A x + slack is constant. The calls form
 * the tableau of the basis that the next solve starts from, unless it is there, and repair a
 * singular basis. OSI_CUDA_INTERRUPTED where a limit or an interrupt came first. */
/* The basic variables by position, length m. */
int osi_cuda_get_basic_variables(osi_cuda_problem* problem, int32_t* variables);
/* A row of B^-1 (length m), and the same row of B^-1 A (length n), which may be NULL. */
int osi_cuda_get_inverse_row(osi_cuda_problem* problem, int32_t position, double* inverse,
                             double* entries);

/* ---- the solution -----------------------------------------------------------------------------
 */

/* OSI_CUDA_STATUS_NONE and OSI_CUDA_PROOF_NONE without a solution. */
int osi_cuda_status(osi_cuda_problem* problem);
int osi_cuda_proof(osi_cuda_problem* problem);

/* A number of the list above. OSI_CUDA_NOTHING without a solution. */
int osi_cuda_get_number(osi_cuda_problem* problem, int which, double* value);
/* The `index`-th (from 0) phase that ran: "presolve", "primal", "dual", "barrier" or "push" (from
 * the interior point to a vertex; a text that stays), the number of the simplex method's phase, 1
 * or 2, else 0, its iterations, and the seconds until the next one began. Each may be NULL.
 * OSI_CUDA_NOTHING without a solution, OSI_CUDA_BAD_ARGUMENT for an index out of range. */
int osi_cuda_get_phase(osi_cuda_problem* problem, int index, char const** algorithm, int* phase,
                       int64_t* iterations, double* seconds);
/* With OSI_CUDA_STATUS_OPTIMAL or _INTERIOR: a rigorous enclosure of the exact optimum of the
 * problem, its doubles taken as exact: lower <= optimum <= upper (Neumaier and Shcherbina 2004;
 * Jansson 2004), and the largest distance of a value in it from OSI_CUDA_OBJECTIVE. An end that is
 * not proved is +-INFINITY. Each may be NULL. OSI_CUDA_NOTHING without a solution. */
int osi_cuda_get_objective_enclosure(osi_cuda_problem* problem, double* lower, double* upper,
                                     double* error);
/* An array of the list above; `length` has to be its length. OSI_CUDA_NOTHING where the solution
 * has none: a ray belongs to unbounded problems, multipliers to infeasible ones. */
int osi_cuda_get_values(osi_cuda_problem* problem, int which, int32_t length, double* values);
/* A text of the list above; "" without a solution, NULL for what is not in the list. */
char const* osi_cuda_text(osi_cuda_problem* problem, int which);

/* ---- what the solution means ------------------------------------------------------------------
 */

/* What is ranged: costs and column bounds (length n), sides of rows (length m). */
enum {
  OSI_CUDA_RANGE_COSTS = 0,
  OSI_CUDA_RANGE_COLUMN_LOWER = 1,
  OSI_CUDA_RANGE_COLUMN_UPPER = 2,
  OSI_CUDA_RANGE_ROW_LOWER = 3,
  OSI_CUDA_RANGE_ROW_UPPER = 4
};

/* With status optimal: the intervals in which each of these numbers can be changed alone before
 * another basis is optimal, and the optimum at both ends; all may be infinite. Bounds that are
 * equal move together. `length` has to be that of the list above; each array may be NULL. The first
 * call after a solve makes one pass over the tableau. OSI_CUDA_NOTHING without an optimal basis,
 * OSI_CUDA_INTERRUPTED where the time limit or an interrupt came first. */
int osi_cuda_get_ranging(osi_cuda_problem* problem, int which, int32_t length, double* low,
                         double* high, double* objective_low, double* objective_high);

/* Sides of a column or row, to be added. */
enum { OSI_CUDA_SIDE_LOWER = 1, OSI_CUDA_SIDE_UPPER = 2 };

/* With status infeasible: sides that contradict each other, for each column (length n) and each row
 * (length m) 0 or the sum of its members. `irreducible`, which may be NULL: 1 where without any one
 * of them the others do not; 0 where the time limit or an interrupt came first, or rounding
 * decides. OSI_CUDA_NOTHING where the problem was not proved to be infeasible. */
int osi_cuda_find_iis(osi_cuda_problem* problem, uint8_t* columns, uint8_t* rows, int* irreducible);

/* The goal of osi_cuda_relax, and the bounds that may be relaxed. */
enum { OSI_CUDA_RELAX_SUM = 0, OSI_CUDA_RELAX_COUNT = 1 };
enum { OSI_CUDA_RELAX_ROWS = 0, OSI_CUDA_RELAX_BOUNDS = 1, OSI_CUDA_RELAX_BOTH = 2 };

/* Numbers of a relaxation, for osi_cuda_relax: places in its array `numbers`. */
enum {
  OSI_CUDA_RELAX_TOTAL = 0,      /* of all violations */
  OSI_CUDA_RELAX_OBJECTIVE = 1,  /* at the point */
  OSI_CUDA_RELAX_OPTIMAL = 2,    /* 1: the best objective with these violations */
  OSI_CUDA_RELAX_LEAST = 3,      /* 1: with the goal sum, the total is proved to be the least */
  OSI_CUDA_RELAX_SOLVES = 4,     /* number of LPs */
  OSI_CUDA_RELAX_ITERATIONS = 5, /* of all of them */
  OSI_CUDA_RELAX_NUMBERS = 6     /* length of the array */
};

/* Feasibility relaxation: the least violations of bounds that leave a point, by their sum or by
 * their number (few, not proved to be fewest). The violation of each side goes into column_lower
 * and column_upper (length n), row_lower and row_upper (length m), the point into `values` (length
 * n); each, and `numbers`, may be NULL. `status` gets OSI_CUDA_STATUS_OPTIMAL with a point,
 * _INFEASIBLE if the bounds that may not be relaxed contradict each other, else the reason for the
 * end; without a point the arrays get zeros. Problem, solution and basis do not change. */
int osi_cuda_relax(osi_cuda_problem* problem, int goal, int what, double* column_lower,
                   double* column_upper, double* row_lower, double* row_upper, double* values,
                   double* numbers, int* status);

/* Lexicographic objectives: each is optimised among the points where the earlier ones are within
 * their losses of their optima. `costs` is count x n by rows. NULL for `senses`
 * (OSI_CUDA_MINIMIZE), `offsets` (0), `losses` (0) and `relative` (0: a loss is an amount; 1: a
 * share of the optimum) stands for the numbers in parentheses. `ranked` gets how many have an
 * optimum, `optima` and `values` (length count, may be NULL) for those what each could reach given
 * the ones before it, and what it is at the end. The solution is that of the last objective that
 * was solved, with the duals of that objective's own problem; osi_cuda_get_ranging has nothing to
 * say of it. The problem's own objective stays what it is. */
int osi_cuda_solve_ranked(osi_cuda_problem* problem, int32_t count, double const* costs,
                          int const* senses, double const* offsets, double const* losses,
                          uint8_t const* relative, int32_t* ranked, double* optima, double* values);

/* ---- many small problems at once --------------------------------------------------------------
 */

/*
 * Small dense problems, each with its own sizes and numbers, solved in one call: by a block of
 * threads each on a device, by a thread each on the processor. Every answer is proved.
 * docs/guide/batch.md of the sources says more. A batch belongs to one call at a time, as a problem
 * does; functions that return int return the same codes.
 */
typedef struct osi_cuda_batch osi_cuda_batch;

/* It keeps threads' memory and a device's buffers from solve to solve. NULL: there is no memory. */
osi_cuda_batch* osi_cuda_batch_create(void);
void osi_cuda_batch_free(osi_cuda_batch* batch);
/* The error message of the last call that failed (but OSI_CUDA_BUSY). */
char const* osi_cuda_batch_message(osi_cuda_batch const* batch);

/* By name, with the values of the options of a problem: engine, device, threads, time-limit (of the
 * whole call), iteration-limit (of each problem), primal-tolerance, dual-tolerance, seed; pricing:
 * auto, steepest, devex or dantzig; problem-time-limit: none or a number >= 0, of one problem;
 * devices: one, all, or numbers as in 0,2, of CUDA devices that share the problems. */
int osi_cuda_batch_set_option(osi_cuda_batch* batch, char const* name, char const* value);

/* `done` of `count` problems are finished. */
typedef void osi_cuda_batch_progress_function(void* data, int64_t done, int64_t count);
int osi_cuda_batch_set_progress(osi_cuda_batch* batch, osi_cuda_batch_progress_function* function,
                                void* data);
int osi_cuda_batch_set_interrupt(osi_cuda_batch* batch, osi_cuda_interrupt_function* function,
                                 void* data);
/* Ends the solve that runs, soon; from any thread. */
void osi_cuda_batch_interrupt(osi_cuda_batch* batch);

/* Problem k has rows[k] = m_k rows and columns[k] = n_k columns. The arrays, which are only read
 * and not kept, hold one problem behind the other: `matrix` A_k by rows (m_k n_k numbers), costs
 * and column bounds n_k, row bounds m_k, offsets and senses one. NULL stands for costs of 0,
 * columns from 0 to INFINITY, rows without that bound, offsets of 0, OSI_CUDA_MINIMIZE. A problem
 * with a NaN costs only itself: its status is OSI_CUDA_STATUS_INVALID. */
int osi_cuda_batch_solve(osi_cuda_batch* batch, int64_t count, int32_t const* rows,
                         int32_t const* columns, double const* matrix, double const* column_lower,
                         double const* column_upper, double const* row_lower,
                         double const* row_upper, double const* costs, double const* offsets,
                         int const* senses);

/* What became of them, in their order; lengths count, each may be NULL. `residuals`: the largest of
 * an optimum, else 0. OSI_CUDA_NOTHING before the first solve. */
int osi_cuda_batch_get_results(osi_cuda_batch* batch, int64_t count, uint8_t* statuses,
                               uint8_t* proofs, int32_t* iterations, double* objectives,
                               double* residuals);
/* Packed as the problems are; `length` has to be that of all. OSI_CUDA_COLUMN_VALUES (optimal: the
 * point; unbounded: a feasible one; else 0) or OSI_CUDA_ROW_DUALS (optimal; of a variant at the
 * iteration limit the multipliers of its basis; else 0). */
int osi_cuda_batch_get_values(osi_cuda_batch* batch, int which, int64_t length, double* values);
/* The bases of optimal and unbounded problems, packed; each may be NULL. */
int osi_cuda_batch_get_basis(osi_cuda_batch* batch, uint8_t* columns, uint8_t* rows);
/* OSI_CUDA_FARKAS, _FARKAS_LOW, _RAY or _RAY_LOW of one problem. OSI_CUDA_NOTHING where it has
 * none: also an infeasible one whose bounds cross. `margin` may be NULL. */
int osi_cuda_batch_get_certificate(osi_cuda_batch* batch, int64_t problem, int which,
                                   int32_t length, double* values, double* margin);
/* Those of all problems: `count` of them, ascending by problem, with `length` numbers together. Of
 * the c-th one starts[c] to starts[c + 1] - 1 (length count + 1) are its Farkas multipliers or its
 * ray, as the status of problems[c] says. Each may be NULL; a first call tells how long they are.
 */
int osi_cuda_batch_get_certificates(osi_cuda_batch* batch, int64_t* count, int64_t* length,
                                    int64_t* problems, int64_t* starts, double* values);

/* ---- many variants of one problem --------------------------------------------------------------
 */

/* What a single number of a variant takes the place of. */
enum {
  OSI_CUDA_CHANGE_COST = 0,
  OSI_CUDA_CHANGE_COLUMN_LOWER = 1,
  OSI_CUDA_CHANGE_COLUMN_UPPER = 2,
  OSI_CUDA_CHANGE_ROW_LOWER = 3,
  OSI_CUDA_CHANGE_ROW_UPPER = 4,
  OSI_CUDA_CHANGE_COEFFICIENT = 5
};
/* What is wanted of the answers, and how: a sum of these. */
enum {
  OSI_CUDA_VARIANTS_POINTS = 1,     /* values, duals, bases and certificates */
  OSI_CUDA_VARIANTS_ENCLOSURES = 2, /* for osi_cuda_batch_get_enclosures; points are made as well */
  OSI_CUDA_VARIANTS_NO_COSTS =
      4,                      /* the problem's own costs and offset are zeros; it is minimised */
  OSI_CUDA_VARIANTS_ALONE = 8 /* no pool of bases: see below */
};
/* Another one: for osi_cuda_batch_get_starts; points have to be wanted, on the host. */
enum { OSI_CUDA_VARIANTS_STARTS = 16 };
/* Solves `count` variants of a problem, which differ from it in some numbers. The answers are those
 * of `answers`, whose options hold, and are asked for there; without points the arrays of values
 * and bases are empty.
 *
 * `costs` and column bounds have shape (count, columns), row bounds (count, rows), by variants;
 * NULL changes nothing, as does a NaN. Single numbers beside them: variant k has changes starts[k]
 * to starts[k + 1] - 1 (length count + 1), each of a kind (OSI_CUDA_CHANGE_), a column or row in
 * `indices`, with a coefficient its row in `rows`, and a value; `starts` NULL: there are none. What
 * is changed twice has the last value. A variant with a number that no problem can have is
 * OSI_CUDA_STATUS_INVALID.
 *
 * Variants begin at the basis of the problem's last solve (OSI_CUDA_NOTHING without one) and share
 * its tableau. Bases that were optimal for others are tried before any pivot; they are kept until
 * the problem is changed or solved again, and take 256 MiB at most. With OSI_CUDA_VARIANTS_ALONE an
 * answer's bits do not depend on other variants; else status and objective do not.
 * osi_cuda_interrupt and osi_cuda_batch_interrupt end the call. */
int osi_cuda_solve_variants(osi_cuda_problem* problem, osi_cuda_batch* answers, int64_t count,
                            int flags, double const* costs, double const* column_lower,
                            double const* column_upper, double const* row_lower,
                            double const* row_upper, int64_t const* starts, int32_t const* kinds,
                            int32_t const* indices, int32_t const* rows, double const* values);
/* Where variants begin in all solves from now on, and where their pivots end. `starts`, length
 * count, has handles that osi_cuda_batch_get_starts gave out since the problem's last solve; -1,
 * others, and NULL for all are the problem's basis. Pivots end with OSI_CUDA_STATUS_OBJECTIVE_LIMIT
 * once the dual objective is beyond `cutoff`; a NAN: none do. The answer then has the basis, the
 * point and the multipliers there, which are not verified. */
int osi_cuda_batch_set_starts(osi_cuda_batch* batch, int64_t count, int64_t const* starts,
                              double cutoff);
/* Handles of the bases where the pivots of the last solve's variants ended with an optimum or an
 * iteration limit, of others where they began; length count. 256 MiB of them are kept, at two bits
 * a variable. When that is full some older ones are dropped: the handle then stands for the nearest
 * kept basis that it came from. OSI_CUDA_NOTHING where OSI_CUDA_VARIANTS_STARTS did not ask. */
int osi_cuda_batch_get_starts(osi_cuda_batch* batch, int64_t count, int64_t* starts);
/* Rigorous bounds of the exact optima, whatever was rounded and how the solves ended; an infeasible
 * minimisation has two of INFINITY. Lengths count, each may be NULL. OSI_CUDA_NOTHING where
 * OSI_CUDA_VARIANTS_ENCLOSURES did not ask for them. */
int osi_cuda_batch_get_enclosures(osi_cuda_batch* batch, int64_t count, double* lower,
                                  double* upper);

/* Numbers of the last solve, for osi_cuda_batch_get_number. */
enum {
  OSI_CUDA_BATCH_AGAIN = 0,          /* problems that the ordinary solver took over */
  OSI_CUDA_BATCH_ON_DEVICE = 1,      /* problems that a device solved */
  OSI_CUDA_BATCH_SECONDS = 2,        /* wall time */
  OSI_CUDA_BATCH_DEVICE_SECONDS = 3, /* of it, the device at work on the problems themselves */
  OSI_CUDA_BATCH_DEVICE_LOST = 4     /* 1: a device failed on the way; the processor took over */
};
/* Another one: variants that a basis of the pool answered without a pivot. */
enum { OSI_CUDA_BATCH_POOLED = 5 };
/* What was relaxed of the variants' problem, as OSI_CUDA_RELAXED_. */
enum { OSI_CUDA_BATCH_RELAXED_INTEGERS = 6, OSI_CUDA_BATCH_RELAXED_SEMICONTINUOUS = 7 };
enum { OSI_CUDA_BATCH_RELAXED_SETS = 8 };
int osi_cuda_batch_get_number(osi_cuda_batch* batch, int which, double* value);
/* Name of the processor that most problems were solved on; "" before the first solve. */
char const* osi_cuda_batch_device(osi_cuda_batch* batch);
/* The message of an invalid or numerical problem, "" of others; NULL: there is no such problem.
 */
char const* osi_cuda_batch_note(osi_cuda_batch* batch, int64_t problem);

/* ---- arrays of the caller's for answers, and in the memory of a CUDA device ---------------------
 */

/* Where the arrays of a solve are. `numbers` not 0: matrices, costs and bounds may be addresses of
 * one device, which solves the problems then. With `objectives` the arrays of answers are addresses
 * of that device or of the option `device`; without it the others, if any, lie on the host. They
 * are objectives of length count, and, where points are wanted, values and duals of
 * osi_cuda_batch_get_values and the bases of osi_cuda_batch_get_basis, which have none then; zeros
 * where there is no answer. `stream` (a cudaStream_t, NULL: the default one) is waited for at the
 * begin; when the solve returns, all is written. It ends with OSI_CUDA_UNAVAILABLE where answers
 * belong on a device and no single one solves the problems. */
typedef struct osi_cuda_batch_places {
  int numbers;
  void* stream;
  double *objectives, *values, *duals;
  uint8_t *column_basis, *row_basis;
} osi_cuda_batch_places;
/* osi_cuda_batch_solve and osi_cuda_solve_variants with arrays at `places`; NULL: those of
 * osi_cuda_batch_set_places. */
int osi_cuda_batch_solve_at(osi_cuda_batch* batch, osi_cuda_batch_places const* places,
                            int64_t count, int32_t const* rows, int32_t const* columns,
                            double const* matrix, double const* column_lower,
                            double const* column_upper, double const* row_lower,
                            double const* row_upper, double const* costs, double const* offsets,
                            int const* senses);
int osi_cuda_solve_variants_at(osi_cuda_problem* problem, osi_cuda_batch* answers,
                               osi_cuda_batch_places const* places, int64_t count, int flags,
                               double const* costs, double const* column_lower,
                               double const* column_upper, double const* row_lower,
                               double const* row_upper, int64_t const* starts, int32_t const* kinds,
                               int32_t const* indices, int32_t const* rows, double const* values);
/* For all solves from now on that are told no places. */
int osi_cuda_batch_set_places(osi_cuda_batch* batch, int numbers, void* stream, double* objectives,
                              double* values, double* duals, uint8_t* column_basis,
                              uint8_t* row_basis);

/* Bytes of a device's memory that dense problems of this size take, beside 0.6 to 0.9 GB of CUDA
 * and its libraries: the matrix; one solve by the interior point method, by pivots, and by pivots
 * with the matrix in the host's memory; a batch of `count` such problems; as many variants of one
 * with points, `changes` changed numbers each. */
enum { OSI_CUDA_DEVICE_NEEDS = 6 };
int osi_cuda_device_memory(int32_t rows, int32_t columns, int64_t count, int64_t changes,
                           uint64_t bytes[OSI_CUDA_DEVICE_NEEDS]);

#ifdef __cplusplus
}
#endif

#endif
