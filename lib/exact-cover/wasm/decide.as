// The search by decisions, for problems with multiplicities and in the order of costs (Algorithms M and C$).
//
// The entry of the module in ../decisions-wasm-module.ts.

import { Several } from "./covering";
import { beginSearch, leastCostLeft, runSearch } from "./loop";

export function begin(_few: bool): void {
  beginSearch(false);
}

export function run(maxSolutions: f64, maxNodes: f64, sliceNodes: f64, pauseAtSolution: bool): i32 {
  return runSearch<Several>(maxSolutions, maxNodes, sliceNodes, pauseAtSolution);
}

export { leastCostLeft };
