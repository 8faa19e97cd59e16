/**
 * The techniques, easiest first, in the order and with the ratings of Sudoku Explainer (see the README). A technique whose
 * patterns have several ratings has a row for each.
 */
import type { Find } from './finding.ts';
import { chain, strongLinks } from './links.ts';
import { bivalueGrave, uniqueLoop } from './uniqueness.ts';
import { fish, hiddenSet, hiddenSingle, locked, nakedSet, nakedSingle } from './units.ts';
import { wing } from './wings.ts';

export interface Technique {
  readonly name: string;
  readonly rating: number;
  readonly find: Find;
}

const TABLE: readonly [rating: number, name: string, find: Find][] = [
  [1.0, 'last digit', hiddenSingle(({ openIn }, unit) => openIn[unit] === 1)],
  [1.2, 'hidden single in a block', hiddenSingle(({ layout }, unit) => layout.isBlock[unit])],
  [1.5, 'hidden single in a line', hiddenSingle(({ layout }, unit) => !layout.isBlock[unit])],
  [1.7, 'direct pointing', locked(true, true)],
  [1.9, 'direct claiming', locked(false, true)],
  [2.0, 'direct hidden pair', hiddenSet(2, true)],
  [2.3, 'naked single', nakedSingle],
  [2.5, 'direct hidden triplet', hiddenSet(3, true)],
  [2.6, 'pointing', locked(true, false)],
  [2.8, 'claiming', locked(false, false)],
  [3.0, 'naked pair', nakedSet(2)],
  [3.2, 'X-wing', fish(2)],
  [3.4, 'hidden pair', hiddenSet(2, false)],
  [3.6, 'naked triplet', nakedSet(3)],
  [3.8, 'swordfish', fish(3)],
  [4.0, 'hidden triplet', hiddenSet(3, false)],
  [4.0, 'skyscraper', strongLinks(2, 'parallel')],
  [4.1, 'kite', strongLinks(2, 'crossed')],
  [4.1, 'turbot fish', strongLinks(2, 'block')],
  [4.3, 'empty rectangle', strongLinks(2, 'grouped')],
  [4.2, 'XY-wing', wing(2, [2])],
  [4.4, 'XYZ-wing', wing(2, [3])],
  [4.5, 'unique rectangle', uniqueLoop(4)],
  [4.6, 'unique loop of six cells', uniqueLoop(6)],
  [4.7, 'unique loop of eight cells', uniqueLoop(8)],
  [5.0, 'naked quad', nakedSet(4)],
  [5.2, 'jellyfish', fish(4)],
  [5.4, 'hidden quad', hiddenSet(4, false)],
  [5.4, 'three parallel strong links', strongLinks(3, 'parallel')],
  [5.5, 'three strong links', strongLinks(3, 'mixed')],
  [5.7, 'three grouped strong links', strongLinks(3, 'grouped')],
  [5.5, 'WXYZ-wing', wing(3, [2, 4])],
  [5.6, 'WXYZ-wing with a cell of three', wing(3, [3])],
  [5.6, 'bivalue universal grave', bivalueGrave],
  [6.2, 'VWXYZ-wing', wing(4, [2, 3, 4, 5])],
  [6.5, 'short chain', chain],
];

export const TECHNIQUES: readonly Technique[] = TABLE.map(([rating, name, find]) => ({ rating, name, find }));
