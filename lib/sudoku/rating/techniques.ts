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

const technique = (rating: number, name: string, find: Find): Technique => ({ name, rating, find });

export const TECHNIQUES: readonly Technique[] = [
  technique(
    1.0,
    'last digit',
    hiddenSingle((board, unit) => board.openIn[unit] === 1),
  ),
  technique(
    1.2,
    'hidden single in a block',
    hiddenSingle(({ layout }, unit) => layout.isBlock[unit]),
  ),
  technique(
    1.5,
    'hidden single in a line',
    hiddenSingle(({ layout }, unit) => !layout.isBlock[unit]),
  ),
  technique(1.7, 'direct pointing', locked(true, true)),
  technique(1.9, 'direct claiming', locked(false, true)),
  technique(2.0, 'direct hidden pair', hiddenSet(2, true)),
  technique(2.3, 'naked single', nakedSingle),
  technique(2.5, 'direct hidden triplet', hiddenSet(3, true)),
  technique(2.6, 'pointing', locked(true, false)),
  technique(2.8, 'claiming', locked(false, false)),
  technique(3.0, 'naked pair', nakedSet(2)),
  technique(3.2, 'X-wing', fish(2)),
  technique(3.4, 'hidden pair', hiddenSet(2, false)),
  technique(3.6, 'naked triplet', nakedSet(3)),
  technique(3.8, 'swordfish', fish(3)),
  technique(4.0, 'hidden triplet', hiddenSet(3, false)),
  technique(4.0, 'skyscraper', strongLinks(2, 'parallel')),
  technique(4.1, 'kite', strongLinks(2, 'crossed')),
  technique(4.1, 'turbot fish', strongLinks(2, 'block')),
  technique(4.3, 'empty rectangle', strongLinks(2, 'grouped')),
  technique(4.2, 'XY-wing', wing(2, [2])),
  technique(4.4, 'XYZ-wing', wing(2, [3])),
  technique(4.5, 'unique rectangle', uniqueLoop(4, 1)),
  technique(4.6, 'unique rectangle with a pair', uniqueLoop(4, 2)),
  technique(4.6, 'unique loop of six cells', uniqueLoop(6, 1)),
  technique(4.7, 'unique rectangle with a triplet', uniqueLoop(4, 3)),
  technique(4.7, 'unique loop of eight cells', uniqueLoop(8, 1)),
  technique(5.0, 'naked quad', nakedSet(4)),
  technique(5.2, 'jellyfish', fish(4)),
  technique(5.4, 'hidden quad', hiddenSet(4, false)),
  technique(5.4, 'three parallel strong links', strongLinks(3, 'parallel')),
  technique(5.5, 'three crossed strong links', strongLinks(3, 'crossed')),
  technique(5.5, 'three strong links', strongLinks(3, 'block')),
  technique(5.7, 'three grouped strong links', strongLinks(3, 'grouped')),
  technique(5.5, 'WXYZ-wing', wing(3, [2, 4])),
  technique(5.6, 'WXYZ-wing with a cell of three', wing(3, [3])),
  technique(5.6, 'bivalue universal grave', bivalueGrave),
  technique(6.2, 'VWXYZ-wing', wing(4, [2, 3, 4, 5])),
  technique(6.5, 'short chain', chain),
];
