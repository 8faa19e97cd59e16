// The loop of a search, as in ../plain-search.ts; of the kinds in covering.as.

import { isUseless, largestRegret } from "./bound";
import { chooseItem, fewestToSpare } from "./choice";
import { beginCovering, learn, learning, Once, pathEnd, remove, select, settleRoot, Several, trailEnd, undoTo, weighted } from "./covering";
import { linkOptions } from "./linking";
import { at, COVERED, Entry, ENTRY_BYTES, Item, Node, optionOf, placeOf } from "./memory";

/** `SearchStop` and `Phase` of ../search.ts. */
const enum Stop { exhausted, solutionLimit, nodeLimit, slice, solution }
const enum Phase { root, choose, enter, backtrack, done }

/** As in ../search.ts. */
const FIRST_RESTART: f64 = 3000;
const MAX_BRANCHES: f64 = 1073741824;
const COPY_INTERVAL: u64 = 1024;

/**
 * An item that was branched on: the entry whose option is tried, `~entry` if everything with it is found and it goes out; and the
 * ends of path and trail before it.
 */
@unmanaged
class Level {
  entry: isize;
  path: usize;
  trail: usize;
}
const LEVEL_BYTES: usize = 12;

let phase: Phase = Phase.done;
/** The end of the top level. */
let levelEnd: usize = 0;
let rootPath: usize = 0;
let rootTrail: usize = 0;
let restartAt: f64 = 0;
let restartNodes: f64 = 0;

/** Discards the previous search and prepares the next one; the counts stay. */
export function beginSearch(few: bool): void {
  beginCovering(few);
  levelEnd = at.levels;
  phase = Phase.root;
}

/** Searches until a limit is reached; returns a `Stop`. */
export function runSearch<Kind>(maxSolutions: f64, maxNodes: f64, sliceNodes: f64, pauseAtSolution: bool): i32 {
  const stop = search<Kind>(maxSolutions, maxNodes, sliceNodes, pauseAtSolution);
  at.phase = phase;
  at.depth = (levelEnd - at.levels) / LEVEL_BYTES;
  return stop;
}

function search<Kind>(maxSolutions: f64, maxNodes: f64, sliceNodes: f64, pauseAtSolution: bool): i32 {
  const several = isBoolean<Kind>();
  const sliceEnd = at.nodes + sliceNodes;
  if (at.solutions >= maxSolutions) return Stop.solutionLimit;
  while (true) {
    if (phase == Phase.choose) {
      const item = several ? chooseDecision() : chooseItem(weighted);
      phase = Phase.backtrack;
      // Costs are integers: what costs more than `cutoff - 1` costs `cutoff`.
      if (several && at.priced != 0 && at.bound > at.cutoff - 1) continue;
      if (item != null) {
        openLevel(item.down);
        phase = Phase.enter;
        continue;
      }
      const solutions = at.solutions + 1;
      at.solutions = solutions;
      if (solutions >= maxSolutions || pauseAtSolution || <u64>solutions % COPY_INTERVAL == 1) copySelected();
      if (solutions >= maxSolutions) return Stop.solutionLimit;
      if (pauseAtSolution) return Stop.solution;
    } else if (phase == Phase.backtrack) {
      if (levelEnd == at.levels) {
        phase = Phase.done;
        continue;
      }
      const level = topLevel();
      undoTo<Kind>(level.path, level.trail);
      level.entry = several ? ~level.entry : changetype<isize>(changetype<Entry>(level.entry).down);
      phase = Phase.enter;
    } else if (phase == Phase.enter) {
      const nodes = at.nodes;
      if (nodes >= maxNodes) return Stop.nodeLimit;
      if (nodes >= sliceEnd) return Stop.slice;
      if (!several && nodes >= restartAt && restarts()) continue;
      at.nodes = nodes + 1;
      phase = enter<Kind>() ? Phase.choose : Phase.backtrack;
    } else if (phase == Phase.root) {
      if (at.nodes >= maxNodes) return Stop.nodeLimit;
      phase = enterRoot<Kind>() ? Phase.choose : Phase.done;
      at.nodes += 1;
    } else {
      return Stop.exhausted;
    }
  }
}

function chooseDecision(): Item | null {
  return at.priced != 0 ? largestRegret() : fewestToSpare();
}

/** Selects the option of the top level, or takes it out. */
@inline
function enter<Kind>(): bool {
  const several = isBoolean<Kind>();
  const decision = topLevel().entry;
  if (several && decision < 0) {
    levelEnd -= LEVEL_BYTES;
    return remove(changetype<Entry>(~decision));
  }
  const entry = changetype<Entry>(decision);
  if (several || entry.down != entry.item) at.guesses += 1;
  else levelEnd -= LEVEL_BYTES;
  if (several && at.priced != 0 && isUseless(entry)) {
    levelEnd -= LEVEL_BYTES;
    return remove(entry);
  }
  return select<Kind>(decision, at.stack);
}

/** Ends a search by cost; no solution that it has not found costs less than the result. */
export function leastCostLeft(): f64 {
  let bound = Infinity;
  if (phase == Phase.root ? enterRoot<Several>() : phase == Phase.choose) bound = boundHere();
  while (levelEnd > at.levels) {
    const level = topLevel();
    levelEnd -= LEVEL_BYTES;
    const entry = level.entry;
    undoTo<Several>(level.path, level.trail);
    const isUntried = phase == Phase.enter && entry > 0;
    phase = Phase.backtrack;
    if (isUntried || remove(changetype<Entry>(entry < 0 ? ~entry : entry))) bound = min(bound, boundHere());
  }
  phase = Phase.done;
  return bound;
}

function boundHere(): f64 {
  largestRegret();
  return at.bound;
}

/** Returns false if there is no solution. */
function enterRoot<Kind>(): bool {
  restartNodes = FIRST_RESTART;
  restartAt = FIRST_RESTART;
  const consistent = linkOptions() && price<Kind>() && settleRoot<Kind>();
  rootPath = pathEnd;
  rootTrail = trailEnd;
  return consistent;
}

/** Gives each entry the share of its option, and sums up the costs of the preselected options. */
function price<Kind>(): bool {
  if (!isBoolean<Kind>() || at.priced == 0) return true;
  at.cost = 0;
  const end = at.preselected + 4 * at.preselectedCount;
  for (let word = at.preselected; word < end; word += 4) {
    const decision = load<i32>(word);
    if (decision >= 0) at.cost += load<f64>(at.optionCosts + 8 * decision);
  }
  for (let node = at.entries; node < at.linkedEnd; node += ENTRY_BYTES) {
    const entry = changetype<Entry>(node);
    store<f64>(at.entryShares + placeOf(entry, 8), load<f64>(at.optionShares + 8 * optionOf(entry)));
  }
  return true;
}

/** Returns to the root, if that is of use, and keeps the weights of the items. */
function restarts(): bool {
  if (!learning && !isFeasible()) learn();
  restartNodes *= 2;
  restartAt = at.nodes + restartNodes;
  if (!learning || at.solutions > 0) return false;
  undoTo<Once>(rootPath, rootTrail);
  levelEnd = at.levels;
  phase = Phase.choose;
  return true;
}

/** Whether the current branch is one of at most `MAX_BRANCHES`. */
function isFeasible(): bool {
  let branches: f64 = 1;
  for (let level = at.levels; level < levelEnd; level += LEVEL_BYTES) {
    const entry = changetype<Entry>(changetype<Level>(level).entry);
    branches *= <f64>((entry.item.spare & (COVERED - 1)) + 1);
  }
  return branches <= MAX_BRANCHES;
}

@inline
function topLevel(): Level {
  return changetype<Level>(levelEnd - LEVEL_BYTES);
}

function openLevel(node: Node): void {
  const level = changetype<Level>(levelEnd);
  level.entry = changetype<isize>(node);
  level.path = pathEnd;
  level.trail = trailEnd;
  levelEnd += LEVEL_BYTES;
}

/** Writes the preselected options, and those with an entry on the path, to `selected`. */
function copySelected(): void {
  let end = at.selected;
  const last = at.preselected + 4 * at.preselectedCount;
  for (let word = at.preselected; word < last; word += 4) {
    if (load<i32>(word) < 0) continue;
    store<i32>(end, load<i32>(word));
    end += 4;
  }
  let option: usize = -1;
  for (let word = at.path; word < pathEnd; word += 4) {
    if (load<i32>(word) < 0) continue;
    const next = optionOf(load<Entry>(word));
    if (next == option) continue;
    option = next;
    store<usize>(end, option);
    end += 4;
  }
  at.selectedCount = (end - at.selected) / 4;
}
