/**
 * The API of the npm package `dancing-links` 4, on the search of this project: `import { DancingLinks } from
 * 'dlx-batch/compat'`. Its users change one import.
 *
 * The same problems have the same solutions. Differences:
 * - solutions come in another order, and the rows of a solution are ascending;
 * - a column that is out of range throws when the problem is solved, also without `validateConstraints`;
 * - a column that a constraint names twice counts once.
 *
 * @module dlx-batch/compat
 */
import { DancingLinks as Links, NO_LIMITS, SearchStop } from '../exact-cover/dancing-links.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';

/**
 * Whether a row covers a column.
 *
 * @example
 * ```ts
 * import { type BinaryNumber, DancingLinks } from 'dlx-batch/compat';
 *
 * const row: BinaryNumber[] = [1, 1];
 * new DancingLinks<string>().createSolver({ columns: 2 }).addBinaryConstraint('a', row).findAll().length; // => 1
 * ```
 */
export type BinaryNumber = 0 | 1;

/**
 * A row of a solution: the data of the constraint, and its number in the order of addition, from 0.
 *
 * @example
 * ```ts
 * import { DancingLinks, type Result } from 'dlx-batch/compat';
 *
 * const solver = new DancingLinks<string>().createSolver({ columns: 1 }).addSparseConstraint('a', [0]);
 * const results: Result<string>[] = solver.findOne()[0]!;
 * results; // => [{ data: 'a', index: 0 }]
 * ```
 */
export interface Result<T> {
  /** Data of the constraint. */
  data: T;
  /** Number of the constraint, from 0. */
  index: number;
}

/**
 * A constraint as the numbers of the columns that it covers; secondary columns follow the primary ones.
 *
 * @example
 * ```ts
 * import { type ConstraintRow, DancingLinks } from 'dlx-batch/compat';
 *
 * const row: ConstraintRow<string> = { coveredColumns: [0], data: 'a' };
 * new DancingLinks<string>().createSolver({ columns: 1 }).addRow(row).findAll(); // => [[{ data: 'a', index: 0 }]]
 * ```
 */
export interface ConstraintRow<T> {
  /** Numbers of the columns, from 0. */
  readonly coveredColumns: number[];
  /** Any data, which solutions contain. */
  readonly data: T;
}

/**
 * A constraint with a 0 or 1 for each column.
 *
 * @example
 * ```ts
 * import type { SimpleConstraint } from 'dlx-batch/compat';
 *
 * const constraint: SimpleConstraint<string> = { row: [1, 0], data: 'a' };
 * constraint.row.length; // => 2
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: `dancing-links` types data so, and its users' code must compile
export interface SimpleConstraint<T = any> {
  /** A value for each column. */
  row: BinaryNumber[];
  /** Any data, which solutions contain. */
  data: T;
}

/**
 * A constraint with a 0 or 1 for each primary and each secondary column.
 *
 * @example
 * ```ts
 * import type { ComplexConstraint } from 'dlx-batch/compat';
 *
 * const constraint: ComplexConstraint<string> = { primaryRow: [1], secondaryRow: [0, 1], data: 'a' };
 * constraint.secondaryRow.length; // => 2
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: `dancing-links` types data so, and its users' code must compile
export interface ComplexConstraint<T = any> {
  /** A value for each primary column. */
  primaryRow: BinaryNumber[];
  /** A value for each secondary column. */
  secondaryRow: BinaryNumber[];
  /** Any data, which solutions contain. */
  data: T;
}

/**
 * A constraint with a 0 or 1 for each column of either kind.
 *
 * @example
 * ```ts
 * import type { BinaryConstraint } from 'dlx-batch/compat';
 *
 * const constraints: BinaryConstraint<string>[] = [{ row: [1], data: 'a' }];
 * constraints.length; // => 1
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: `dancing-links` types data so, and its users' code must compile
export type BinaryConstraint<T = any> = SimpleConstraint<T> | ComplexConstraint<T>;

/**
 * A constraint with the numbers of its columns.
 *
 * @example
 * ```ts
 * import type { SparseConstraint } from 'dlx-batch/compat';
 *
 * const constraint: SparseConstraint<string> = { columns: [0, 2], data: 'a' };
 * constraint.columns; // => [0, 2]
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: `dancing-links` types data so, and its users' code must compile
export interface SparseConstraint<T = any> {
  /** Any data, which solutions contain. */
  data: T;
  /** Numbers of the columns, from 0. */
  columns: number[];
}

/** Columns that a solution covers exactly once. */
interface SimpleConfig {
  columns: number;
}

/** Columns that a solution covers exactly once, and columns that it covers at most once. */
interface ComplexConfig {
  primaryColumns: number;
  secondaryColumns: number;
}

type Mode = 'simple' | 'complex';
type Sparse<M extends Mode> = M extends 'complex' ? { primary: number[]; secondary: number[] } : number[];
type Binary<M extends Mode> = M extends 'complex'
  ? { primaryRow: BinaryNumber[]; secondaryRow: BinaryNumber[] }
  : BinaryNumber[];

/** A problem without empty rows, which the search does not take, and the row of each option. */
interface NumberedRows {
  readonly problem: ExactCoverProblem;
  readonly rowOf: Int32Array;
}

/** @throws Error if a column is out of range */
function numberedRows(
  rows: readonly ConstraintRow<unknown>[],
  config: SimpleConfig | ComplexConfig,
): NumberedRows {
  const {
    columns = 0,
    primaryColumns = columns,
    secondaryColumns = 0,
  } = config as Partial<SimpleConfig & ComplexConfig>;
  const columnCount = primaryColumns + secondaryColumns;
  const items: number[] = [];
  const starts = [0];
  const rowOf: number[] = [];
  for (const [index, { coveredColumns }] of rows.entries()) {
    for (const column of new Set(coveredColumns)) {
      if (!(Number.isInteger(column) && column >= 0 && column < columnCount)) {
        throw new Error(`Column index ${column} exceeds columns limit of ${columnCount}`);
      }
      items.push(column);
    }
    if (items.length === starts.at(-1)) continue;
    starts.push(items.length);
    rowOf.push(index);
  }
  const problem = {
    primaryCount: primaryColumns,
    secondaryCount: secondaryColumns,
    optionCount: rowOf.length,
    optionStart: Int32Array.from(starts),
    items: Int32Array.from(items),
  };
  return { problem, rowOf: Int32Array.from(rowOf) };
}

function ones(row: readonly number[]): number[] {
  return row.flatMap((value, column) => (value === 1 ? [column] : []));
}

/** The columns and constraints of a solver or of a template, which have the same methods to add some. */
abstract class ConstraintAdder<T, M extends Mode> {
  /** @internal */
  protected readonly config: SimpleConfig | ComplexConfig;
  /** @internal */
  protected readonly rows: ConstraintRow<T>[];
  #isValidating: boolean;

  /** @internal */
  constructor(config: SimpleConfig | ComplexConfig, template?: ConstraintAdder<T, M>) {
    this.config = config;
    this.rows = [...(template?.rows ?? [])];
    this.#isValidating = template === undefined ? false : template.#isValidating;
  }

  /** Checks every constraint that is added from now on. */
  validateConstraints(): this {
    this.#isValidating = true;
    return this;
  }

  /** Adds a constraint by the numbers of its columns. */
  addSparseConstraint(data: T, columnIndices: Sparse<M>): this {
    const { config } = this;
    if ('columns' in config) {
      const columns = columnIndices as number[];
      this.#checkColumns('Column', columns, 'columns', config.columns);
      return this.addRow({ data, coveredColumns: [...columns] });
    }
    const { primary, secondary } = columnIndices as Sparse<'complex'>;
    this.#checkColumns('Primary column', primary, 'primaryColumns', config.primaryColumns);
    this.#checkColumns('Secondary column', secondary, 'secondaryColumns', config.secondaryColumns);
    const shifted = secondary.map((column) => column + config.primaryColumns);
    return this.addRow({ data, coveredColumns: [...primary, ...shifted] });
  }

  /** Adds constraints by the numbers of their columns. */
  addSparseConstraints(constraints: { data: T; columnIndices: Sparse<M> }[]): this {
    for (const { data, columnIndices } of constraints) this.addSparseConstraint(data, columnIndices);
    return this;
  }

  /** Adds a constraint by a 0 or 1 for each column. */
  addBinaryConstraint(data: T, columnValues: Binary<M>): this {
    const { config } = this;
    if ('columns' in config) {
      const row = columnValues as BinaryNumber[];
      this.#checkLength('Row', row, 'columns', config.columns);
      return this.addRow({ data, coveredColumns: ones(row) });
    }
    const { primaryRow, secondaryRow } = columnValues as Binary<'complex'>;
    this.#checkLength('Primary row', primaryRow, 'primaryColumns', config.primaryColumns);
    this.#checkLength('Secondary row', secondaryRow, 'secondaryColumns', config.secondaryColumns);
    return this.addRow({ data, coveredColumns: ones([...primaryRow, ...secondaryRow]) });
  }

  /** Adds constraints by a 0 or 1 for each column. */
  addBinaryConstraints(constraints: { data: T; columnValues: Binary<M> }[]): this {
    for (const { data, columnValues } of constraints) this.addBinaryConstraint(data, columnValues);
    return this;
  }

  /** Adds a constraint; secondary columns follow the primary ones. */
  addRow(row: ConstraintRow<T>): this {
    this.rows.push(row);
    return this;
  }

  /** Adds constraints; secondary columns follow the primary ones. */
  addRows(rows: ConstraintRow<T>[]): this {
    for (const row of rows) this.addRow(row);
    return this;
  }

  #checkColumns(kind: string, columns: readonly number[], name: string, count: number): void {
    if (!this.#isValidating) return;
    const wrong = columns.find((column) => column < 0 || column >= count);
    if (wrong !== undefined) throw new Error(`${kind} index ${wrong} exceeds ${name} limit of ${count}`);
  }

  #checkLength(kind: string, row: readonly number[], name: string, count: number): void {
    if (this.#isValidating && row.length !== count) {
      throw new Error(`${kind} length ${row.length} does not match ${name} ${count}`);
    }
  }
}

/** As many solutions as there are. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * A problem to which constraints are added, and which can be solved at any time. Create it with
 * {@link DancingLinks.createSolver}.
 *
 * @example
 * ```ts
 * import { DancingLinks, type ProblemSolver } from 'dlx-batch/compat';
 *
 * const solver: ProblemSolver<string, 'simple'> = new DancingLinks<string>().createSolver({ columns: 2 });
 * solver.addSparseConstraint('a', [0]).addSparseConstraint('b', [1]).addSparseConstraint('c', [0, 1]);
 * solver.findOne().length; // => 1
 * solver.findAll().length; // => 2
 * [...solver.createGenerator()].length; // => 2
 * ```
 */
export class ProblemSolver<T, M extends Mode> extends ConstraintAdder<T, M> {
  /** At most one solution. @throws Error without constraints */
  findOne(): Result<T>[][] {
    return this.find(1);
  }

  /** All solutions. @throws Error without constraints */
  findAll(): Result<T>[][] {
    return this.find(ALL);
  }

  /** At most that many solutions, 1 up; all of them for any other number, as in the package. */
  find(numSolutions: number): Result<T>[][] {
    const found: Result<T>[][] = [];
    for (const solution of this.#solutions(numSolutions)) {
      found.push(solution);
      if (found.length === numSolutions) break;
    }
    return found;
  }

  /** The solutions one by one, each found when it is requested. */
  createGenerator(): Generator<Result<T>[], void, unknown> {
    return this.#solutions(ALL);
  }

  *#solutions(wanted: number): Generator<Result<T>[], void, unknown> {
    const { rows } = this;
    if (rows.length === 0) throw new Error('Cannot solve problem with no constraints');
    // Rows that are added during the iteration follow these.
    const { problem, rowOf } = numberedRows(rows, this.config);
    const links = new Links(problem, wanted >= 1 ? wanted : ALL);
    const limits = { ...NO_LIMITS, pauseAtSolution: true };
    try {
      while (links.run(limits) === SearchStop.solution) {
        const options = links.selected.slice().sort();
        yield Array.from(options, (option) => {
          const index = rowOf[option]!;
          return { data: rows[index]!.data, index };
        });
      }
    } finally {
      links.release();
    }
  }
}

/**
 * Constraints that several solvers begin with. Create it with {@link DancingLinks.createSolverTemplate}.
 *
 * @example
 * ```ts
 * import { DancingLinks, type SolverTemplate } from 'dlx-batch/compat';
 *
 * const template: SolverTemplate<string, 'simple'> = new DancingLinks<string>().createSolverTemplate({ columns: 2 });
 * template.addSparseConstraint('a', [0]);
 * template.createSolver().addSparseConstraint('b', [1]).findAll().length; // => 1
 * template.createSolver().findAll().length; // => 0
 * ```
 */
export class SolverTemplate<T, M extends Mode> extends ConstraintAdder<T, M> {
  /** Creates a solver with the constraints so far. */
  createSolver(): ProblemSolver<T, M> {
    return new ProblemSolver(this.config, this);
  }
}

/**
 * Creates solvers and templates.
 *
 * @typeParam T data of a constraint
 *
 * @example
 * ```ts
 * import { DancingLinks } from 'dlx-batch/compat';
 *
 * const solver = new DancingLinks<string>().createSolver({ columns: 3 });
 * solver.addSparseConstraint('row1', [0, 2]);
 * solver.addSparseConstraint('row2', [1]);
 * solver.addSparseConstraint('row3', [0, 1]);
 * solver.findAll(); // => [[{ data: 'row1', index: 0 }, { data: 'row2', index: 1 }]]
 *
 * const complex = new DancingLinks<string>().createSolver({ primaryColumns: 1, secondaryColumns: 1 });
 * complex.addSparseConstraint('a', { primary: [0], secondary: [0] });
 * complex.findAll().length; // => 1
 * ```
 */
export class DancingLinks<T> {
  /** Creates a solver for columns that a solution covers exactly once. */
  createSolver(config: { columns: number }): ProblemSolver<T, 'simple'>;
  /** Creates a solver for primary columns and for secondary ones, which a solution covers at most once. */
  createSolver(config: { primaryColumns: number; secondaryColumns: number }): ProblemSolver<T, 'complex'>;
  createSolver(
    config: SimpleConfig | ComplexConfig,
  ): ProblemSolver<T, 'simple'> | ProblemSolver<T, 'complex'> {
    return new ProblemSolver<T, 'simple'>(config);
  }

  /** Creates a template for columns that a solution covers exactly once. */
  createSolverTemplate(config: { columns: number }): SolverTemplate<T, 'simple'>;
  /** Creates a template for primary columns and for secondary ones, which a solution covers at most once. */
  createSolverTemplate(config: {
    primaryColumns: number;
    secondaryColumns: number;
  }): SolverTemplate<T, 'complex'>;
  createSolverTemplate(
    config: SimpleConfig | ComplexConfig,
  ): SolverTemplate<T, 'simple'> | SolverTemplate<T, 'complex'> {
    return new SolverTemplate<T, 'simple'>(config);
  }
}
