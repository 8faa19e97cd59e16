/** Random probes of a search tree, and the interval of their mean (tree-estimate.ts, family/decision-estimate.ts). */

/** The estimate of a tree; numbers beyond 1.8 * 10^308 are that. */
export interface TreeEstimate {
  /** Nodes of the tree, and an interval that mostly has their true number. */
  readonly nodes: number;
  readonly low: number;
  readonly high: number;
  readonly updates: number;
  readonly probes: number;
}

const MAX_PROBES = 2000;
/** Work of all probes: that of a few dozen milliseconds. */
export const MAX_WORK = 10_000_000;
/** With fewer probes, the interval says nothing. */
const MIN_PROBES = 50;
/** Standard errors on each side of the interval: more than the 1.96 of a normal distribution, as probes are skewed. */
const ERRORS = 2.5;

/** What a probe estimates, and its own work (`workOf`). */
interface Probe {
  readonly nodes: number;
  readonly updates: number;
  readonly work: number;
}

/**
 * Takes probes, and returns their mean.
 *
 * @param maxWork work of all probes; at most `MAX_WORK` is used
 * @param rootUpdates updates before the first choice
 * @returns undefined if that is too little work
 */
export function meanOfProbes(
  maxWork: number,
  rootUpdates: number,
  probe: () => Probe,
): TreeEstimate | undefined {
  const all: number[] = [];
  let updates = 0;
  for (let work = 0; all.length < MAX_PROBES && work < Math.min(maxWork, MAX_WORK); ) {
    const one = probe();
    all.push(one.nodes);
    updates = bounded(updates + one.updates);
    work += one.work;
  }
  if (all.length < MIN_PROBES) return undefined;
  return { ...intervalOf(all), updates: rootUpdates + updates / all.length, probes: all.length };
}

/** Without Infinity, for which there are neither quotients nor JSON. */
export function bounded(value: number): number {
  return Math.min(value, Number.MAX_VALUE);
}

/** The mean of positive values, and the interval of its standard error on a logarithmic scale. */
function intervalOf(values: readonly number[]): Pick<TreeEstimate, 'nodes' | 'low' | 'high'> {
  // Sums and squares of the values themselves may be beyond all numbers.
  const most = Math.max(...values);
  const mean = most * (values.reduce((sum, value) => sum + value / most, 0) / values.length);
  const squares = values.reduce((sum, value) => sum + (value / mean - 1) ** 2, 0);
  const error = Math.exp((ERRORS * Math.sqrt(squares / (values.length - 1))) / Math.sqrt(values.length));
  return { nodes: mean, low: mean / error, high: bounded(mean * error) };
}

/** Random numbers from 0 to below 1, from a seed (Marsaglia's xorshift). */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e37_79b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
