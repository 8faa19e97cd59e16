/** The techniques, in the order of the scale. */
import type { Find } from './finding.ts';
import { chain, strongLinks } from './links.ts';
import { RATINGS, type Rating } from './scale.ts';
import { bivalueGrave, uniqueLoop } from './uniqueness.ts';
import { fish, hiddenSet, hiddenSingle, locked, nakedSet, nakedSingle } from './units.ts';
import { wing } from './wings.ts';

const FINDS: Readonly<Record<Exclude<Rating['technique'], 'search'>, Find>> = {
  'last digit': hiddenSingle(({ openIn }, unit) => openIn[unit] === 1),
  'hidden single in a block': hiddenSingle(({ layout }, unit) => layout.isBlock[unit]),
  'hidden single in a line': hiddenSingle(({ layout }, unit) => !layout.isBlock[unit]),
  'direct pointing': locked(true, true),
  'direct claiming': locked(false, true),
  'direct hidden pair': hiddenSet(2, true),
  'naked single': nakedSingle,
  'direct hidden triplet': hiddenSet(3, true),
  pointing: locked(true, false),
  claiming: locked(false, false),
  'naked pair': nakedSet(2),
  'X-wing': fish(2),
  'hidden pair': hiddenSet(2, false),
  'naked triplet': nakedSet(3),
  swordfish: fish(3),
  'hidden triplet': hiddenSet(3, false),
  skyscraper: strongLinks(2, 'parallel'),
  kite: strongLinks(2, 'crossed'),
  'turbot fish': strongLinks(2, 'block'),
  'empty rectangle': strongLinks(2, 'grouped'),
  'XY-wing': wing(2, [2]),
  'XYZ-wing': wing(2, [3]),
  'unique rectangle': uniqueLoop(4),
  'unique rectangle with a naked pair': uniqueLoop(4, true),
  'unique loop of six cells': uniqueLoop(6),
  'unique loop of eight cells': uniqueLoop(8),
  'naked quad': nakedSet(4),
  jellyfish: fish(4),
  'hidden quad': hiddenSet(4, false),
  'three parallel strong links': strongLinks(3, 'parallel'),
  'three strong links': strongLinks(3, 'mixed'),
  'three grouped strong links': strongLinks(3, 'grouped'),
  'WXYZ-wing': wing(3, [2, 4]),
  'WXYZ-wing with a cell of three': wing(3, [3]),
  'bivalue universal grave': bivalueGrave(1, 1),
  'bivalue universal grave with several cells': bivalueGrave(2, Number.POSITIVE_INFINITY),
  'four parallel strong links': strongLinks(4, 'parallel'),
  'four strong links': strongLinks(4, 'mixed'),
  'four grouped strong links': strongLinks(4, 'grouped'),
  'VWXYZ-wing': wing(4, [2, 3, 4, 5]),
  'short chain': chain,
};

export interface Technique extends Rating {
  readonly find: Find;
}

export const TECHNIQUES: readonly Technique[] = RATINGS.flatMap((rating) =>
  rating.technique === 'search' ? [] : { ...rating, find: FINDS[rating.technique] },
);
