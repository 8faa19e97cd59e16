/** The errors of records in result files. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { TreeEstimate } from '../../exact-cover/tree-estimate.ts';
import { roughNumberText } from '../quantities.ts';

/** The error of a record that is an exception. */
export interface RecordError {
  /** Stable name of the error, such as `bad_length`. */
  readonly code: string;
  /** One sentence: what was found, what was expected. */
  readonly message: string;
  /** Line in the file, from 1. */
  readonly line?: number;
  /** Character in the line, from 1. */
  readonly column?: number;
  /** The text that was found. */
  readonly found?: string;
  /** What was expected instead. */
  readonly expected?: string;
  /** For clashing givens: the clashing cells, by unit. */
  readonly clashes?: readonly {
    /** The unit, such as `row 1`. */
    readonly unit: string;
    /** The symbol that occurs more than once. */
    readonly digit: string;
    /** Its cells, such as `r1c5`. */
    readonly cells: string[];
  }[];
}

/** The code of a result that differs from the one that the file expects. */
export const UNEXPECTED_RESULT = 'unexpected_result';

/** The reason for `unsolvable`. */
export const NO_SOLUTION = 'it has no solution';

/**
 * The error of a record with status `limit`.
 *
 * @param tree the estimate of its whole search tree, if there is one
 */
export function limitError(solutions: SolutionCount, nodes: number, tree?: TreeEstimate): RecordError {
  const known =
    solutions > 0
      ? 'one solution was found, undecided whether it is unique'
      : 'undecided whether it has a solution';
  return {
    code: 'limit',
    message: `the search budget ran out after ${nodes} ${nodes === 1 ? 'node' : 'nodes'}: ${known}${tree === undefined || tree.high <= nodes ? '' : treeAdvice(tree, nodes)}`,
  };
}

/**
 * The error of a puzzle whose budget ran out before all its random solutions were drawn.
 *
 * @param total number of its solutions; undefined if they are not counted
 */
export function drawLimitError(
  total: SolutionCount | undefined,
  drawn: number,
  requested: number,
  nodes: number,
): RecordError {
  const done =
    total === undefined
      ? 'its solutions are not all counted, which every random one needs; raise --max-nodes, or make it smaller'
      : `${drawn} of ${requested} random solutions are drawn; raise --max-nodes, or draw fewer`;
  return { code: 'limit', message: `the search budget ran out after ${nodes} nodes: ${done}` };
}

/** A tree so many times as large as the search so far is beyond any budget. */
const HOPELESS = 10_000;

function treeAdvice(tree: TreeEstimate, nodes: number): string {
  const advice = 'make the problem smaller, such as by fewer symmetric solutions';
  return `; the whole tree has about ${treeText(tree)} nodes: ${tree.low > HOPELESS * nodes ? advice : `raise --max-nodes, or ${advice}`}`;
}

/** `3 * 10^9 (1.1 * 10^9 to 8.3 * 10^9)`. */
export function treeText({ nodes, low, high }: Pick<TreeEstimate, 'nodes' | 'low' | 'high'>): string {
  return `${roughNumberText(nodes)} (${roughNumberText(low)} to ${roughNumberText(high)})`;
}

/** Replaces line breaks and control characters, so that a quote from a file stays on one line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}
