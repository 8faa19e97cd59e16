// The search for problems whose items are contained once (Algorithms X and C).
//
// The entry of the module in ../wasm-module.ts (hexadecimal digits). test/wasm/build.ts builds it; a test checks that both match.

import { Once } from "./covering";
import { beginSearch, runSearch } from "./loop";

export function begin(few: bool): void {
  beginSearch(few);
}

export function run(maxSolutions: f64, maxNodes: f64, sliceNodes: f64, pauseAtSolution: bool): i32 {
  return runSearch<Once>(maxSolutions, maxNodes, sliceNodes, pauseAtSolution);
}
