// The search in WebAssembly, as in ../plain-search.ts.
//
// The entry of the module in ../wasm-module.ts (hexadecimal digits). test/wasm/build.ts builds it; a test checks that both match.

import { chooseItem } from "./choice";
import { beginCovering, learn, learning, pathEnd, select, settleRoot, trailEnd, undoTo, weighted } from "./covering";
import { linkOptions } from "./linking";
import {
  COVERED, DEPTH, DOWN, ENTRIES, GUESSES, ITEM, LEVELS, NEXT, NODES, OPTION_OF, PATH, PHASE, PRESELECTED,
  PRESELECTED_COUNT, SELECTED, SELECTED_COUNT, SIZE, SOLUTIONS, STACK, UPDATES,
} from "./memory";

/** `SearchStop` and `Phase` of ../search.ts. */
const enum Stop { exhausted, solutionLimit, nodeLimit, slice, solution }
const enum Phase { root, choose, enter, backtrack, done }

/** As in ../search.ts. */
const FIRST_RESTART: f64 = 3000;
const MAX_BRANCHES: f64 = 1073741824;
const COPY_INTERVAL: u64 = 1024;
/** Bytes of a level: its node, and the ends of path and trail before it. */
const LEVEL: usize = 12;

let phase: Phase = Phase.done;
/** The end of the top level. */
let levelEnd: usize = 0;
let rootPath: usize = 0;
let rootTrail: usize = 0;
let restartAt: f64 = 0;
let restartNodes: f64 = 0;

/** Discards the previous search and prepares the next one. */
export function begin(few: bool): void {
  store<f64>(NODES, 0);
  store<f64>(GUESSES, 0);
  store<f64>(UPDATES, 0);
  store<f64>(SOLUTIONS, 0);
  store<u32>(SELECTED_COUNT, 0);
  beginCovering(few);
  rootPath = pathEnd;
  rootTrail = trailEnd;
  levelEnd = load<usize>(LEVELS);
  phase = Phase.root;
}

/** Searches until a limit is reached; returns a `Stop`. */
export function run(maxSolutions: f64, maxNodes: f64, sliceNodes: f64, pauseAtSolution: bool): i32 {
  const stop = search(maxSolutions, maxNodes, sliceNodes, pauseAtSolution);
  store<u32>(PHASE, phase);
  store<usize>(DEPTH, (levelEnd - load<usize>(LEVELS)) / LEVEL);
  return stop;
}

function search(maxSolutions: f64, maxNodes: f64, sliceNodes: f64, pauseAtSolution: bool): i32 {
  const sliceEnd = load<f64>(NODES) + sliceNodes;
  if (load<f64>(SOLUTIONS) >= maxSolutions) return Stop.solutionLimit;
  while (true) {
    if (phase == Phase.choose) {
      const item = chooseItem(weighted);
      if (item != 0) {
        openLevel(load<usize>(item, DOWN));
        phase = Phase.enter;
        continue;
      }
      const solutions = load<f64>(SOLUTIONS) + 1;
      store<f64>(SOLUTIONS, solutions);
      if (solutions >= maxSolutions || pauseAtSolution || <u64>solutions % COPY_INTERVAL == 1) copySelected();
      phase = Phase.backtrack;
      if (solutions >= maxSolutions) return Stop.solutionLimit;
      if (pauseAtSolution) return Stop.solution;
    } else if (phase == Phase.backtrack) {
      if (levelEnd == load<usize>(LEVELS)) {
        phase = Phase.done;
        continue;
      }
      const level = levelEnd - LEVEL;
      undoTo(load<usize>(level, 4), load<usize>(level, 8));
      store<usize>(level, load<usize>(load<usize>(level), DOWN));
      phase = Phase.enter;
    } else if (phase == Phase.enter) {
      const nodes = load<f64>(NODES);
      if (nodes >= maxNodes) return Stop.nodeLimit;
      if (nodes >= sliceEnd) return Stop.slice;
      if (nodes >= restartAt && restarts()) continue;
      store<f64>(NODES, nodes + 1);
      const node = load<usize>(levelEnd - LEVEL);
      if (load<usize>(node, DOWN) == load<usize>(node, ITEM)) levelEnd -= LEVEL;
      else store<f64>(GUESSES, load<f64>(GUESSES) + 1);
      phase = select(node, load<usize>(STACK)) ? Phase.choose : Phase.backtrack;
    } else if (phase == Phase.root) {
      if (load<f64>(NODES) >= maxNodes) return Stop.nodeLimit;
      phase = enterRoot() ? Phase.choose : Phase.done;
      store<f64>(NODES, load<f64>(NODES) + 1);
    } else {
      return Stop.exhausted;
    }
  }
}

/** Ends the search and restores every link to its state after the root was entered. */
export function rewind(): void {
  undoTo(rootPath, rootTrail);
  levelEnd = load<usize>(LEVELS);
  phase = Phase.done;
}

/** Returns false if there is no solution. */
function enterRoot(): bool {
  levelEnd = load<usize>(LEVELS);
  restartNodes = FIRST_RESTART;
  restartAt = FIRST_RESTART;
  const consistent = linkOptions() && settleRoot();
  rootPath = pathEnd;
  rootTrail = trailEnd;
  return consistent;
}

/** Returns to the root, if that is of use, and keeps the weights of the items. */
function restarts(): bool {
  if (!learning && !isFeasible()) learn();
  restartNodes *= 2;
  restartAt = load<f64>(NODES) + restartNodes;
  if (!learning || load<f64>(SOLUTIONS) > 0) return false;
  undoTo(rootPath, rootTrail);
  levelEnd = load<usize>(LEVELS);
  phase = Phase.choose;
  return true;
}

/** Whether the current branch is one of at most `MAX_BRANCHES`. */
function isFeasible(): bool {
  let branches: f64 = 1;
  for (let level = load<usize>(LEVELS); level < levelEnd; level += LEVEL) {
    const size = load<i32>(load<usize>(load<usize>(level), ITEM), SIZE);
    branches *= <f64>(size < COVERED ? size : size - COVERED + 1);
  }
  return branches <= MAX_BRANCHES;
}

function openLevel(node: usize): void {
  store<usize>(levelEnd, node);
  store<usize>(levelEnd, pathEnd, 4);
  store<usize>(levelEnd, trailEnd, 8);
  levelEnd += LEVEL;
}

/** Writes the preselected options, and those with a node on the path, to SELECTED. */
function copySelected(): void {
  let count = load<usize>(PRESELECTED_COUNT);
  const selected = load<usize>(SELECTED);
  memory.copy(selected, load<usize>(PRESELECTED), 4 * count);
  const optionOf = load<usize>(OPTION_OF), entries = load<usize>(ENTRIES);
  let first: usize = 0, last: usize = 0;
  for (let at = load<usize>(PATH); at < pathEnd; at += 4) {
    const node = load<usize>(at);
    if (node >= first && node <= last) continue;
    last = node;
    for (first = load<usize>(last, NEXT); first > last; first = load<usize>(last, NEXT)) last = first;
    store<usize>(selected + 4 * count++, load<usize>(optionOf + (first - entries) / 4));
  }
  store<usize>(SELECTED_COUNT, count);
}
