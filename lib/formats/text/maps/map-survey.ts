/**
 * Decides from the grids of the head of a text whether puzzles have region maps on the lines, or in the rows, below or above
 * them.
 *
 *     ..8..4..35.4...6....        below: puzzle, map, puzzle, map, ...
 *     001111222000111222...
 *
 * A map is read like a puzzle at first. It belongs to the grid above or below it: the place that leaves fewer maps without a
 * puzzle, then the one nearer to the maps, then the one that fits the first grid.
 */
import { ZERO } from '../../bytes/ascii.ts';
import { NUMBER } from '../../cells/grid-buffer.ts';
import { mapAmong } from '../../cells/regions.ts';
import type { RecordBlock } from '../../records/record-block.ts';
import type { MapPlace } from './map-place.ts';

/** Grids in a row, all maps or all puzzles of one size, from the first line to the last. */
interface Run extends Pick<MapPlace, 'form' | 'size'> {
  readonly isMap: boolean;
  readonly line: number;
  lineEnd: number;
  count: number;
  /** Whether something that cannot be read precedes it: it may have been a map. */
  readonly isAfterDamage: boolean;
}

export class MapSurvey {
  readonly #runs: Run[] = [];
  /** By line: grids whose cells are no puzzle, and whether they are maps. */
  readonly #wrong = new Map<number, boolean>();
  #isAfterDamage = false;

  /** Takes a grid that becomes an unreadable record, with the codes of its cells. */
  addWrong(codes: Uint16Array, size: number, line: number): void {
    this.#wrong.set(line, mapAmong(codes, size * size, size) !== undefined);
  }

  /** Takes the records of a block. */
  addBlock(block: RecordBlock): void {
    const { cells, count, geometry, layout, line, lineEnd } = block;
    const { size, cellCount, places } = geometry;
    const haveMaps = layout.format === 'jigsaw' || places !== undefined;
    for (let k = 0; k < count; k++) {
      if (haveMaps && block.isReadable(k)) continue;
      const isMap = block.isReadable(k) ? isMapAt(cells, k * cellCount, size) : this.#wrong.get(line[k]);
      if (isMap === undefined) this.#isAfterDamage = true;
      else this.#add(isMap, size, line[k], lineEnd[k]);
    }
  }

  /** Takes a grid of a size whose alphabet is not decided. */
  addCodes(codes: Uint16Array, size: number, line: number, lineEnd: number): void {
    this.#add(mapAmong(codes, size * size, size) !== undefined, size, line, lineEnd);
  }

  #add(isMap: boolean, size: number, line: number, lineEnd: number): void {
    const form = line === lineEnd ? 'line' : 'rows';
    const last = this.#runs[this.#runs.length - 1];
    const isAfterDamage = this.#isAfterDamage;
    if (!isAfterDamage && last?.isMap === isMap && last.size === size && last.form === form) {
      last.count++;
      last.lineEnd = lineEnd;
    } else this.#runs.push({ form, size, isMap, line, lineEnd, count: 1, isAfterDamage });
    this.#isAfterDamage = false;
  }

  /**
   * @param complete whether no grid follows
   * @returns one place for each form and size with maps below or above puzzles
   */
  places(complete: boolean): MapPlace[] {
    const places: MapPlace[] = [];
    const mapped = this.#runs.filter(({ isMap }) => isMap);
    for (const { form, size } of mapped) {
      // The rows of a 16x16 map may look like maps of 4x4 puzzles.
      const isOfRows = mapped.some((run) => run.form === 'rows' && run.size === size ** 2);
      if (places.some((one) => one.form === form && one.size === size) || (form === 'line' && isOfRows))
        continue;
      const place = placeOf(
        this.#runs.filter((run) => run.form === form && run.size === size),
        complete,
      );
      if (place !== undefined) places.push({ form, size, ...place });
    }
    return places;
  }
}

function placeOf(runs: readonly Run[], complete: boolean): Pick<MapPlace, 'place' | 'every'> | undefined {
  let [maps, pairs, doubtful] = [0, 0, 0];
  /** Maps without a puzzle above or below, maps directly after or before one, and puzzles without a map. */
  const [none, near, bare] = [0, 1, 2].map(() => ({ above: 0, below: 0 }));
  for (const [k, { isMap, line, count, isAfterDamage }] of runs.entries()) {
    const alone = isMap ? none : bare;
    const isPair = k > 0 && isMap !== runs[k - 1].isMap;
    if (isMap) maps += count;
    if (isPair) pairs++;
    if (isPair && line === runs[k - 1].lineEnd + 1) near[isMap ? 'above' : 'below']++;
    // What cannot be read between two puzzles may be the map.
    const isDoubtful = !isPair && !isMap && isAfterDamage;
    if (isDoubtful) doubtful++;
    alone.above += isPair || isDoubtful ? count - 1 : count;
    alone.below += isPair || isDoubtful || k === 0 ? count - 1 : count;
  }
  // Rows of text may happen to be maps; most maps have a puzzle next to them.
  if (pairs === 0 || pairs * 2 < maps) return undefined;
  const [first, last] = [runs[0], runs[runs.length - 1]];
  // What follows the last grid of an incomplete head is unknown.
  if (complete && last.isMap) none.below++;
  const isMapFirst = first.isMap || (!last.isMap && first.isAfterDamage);
  const aboveIsBetter = none.above - none.below || near.below - near.above || (isMapFirst ? 1 : -1);
  const place = aboveIsBetter > 0 ? 'above' : 'below';
  // A puzzle on its own at the end may have no map; the map of one directly after other grids was cut off.
  const isAlone = !last.isMap && last.count === 1 && last.line > runs[runs.length - 2].lineEnd + 1;
  return {
    place,
    every: maps + doubtful > 1 && bare[place] === 0 && !(place === 'below' && complete && isAlone),
  };
}

/** Whether values from `from` on are a map. */
function isMapAt(cells: Uint8Array, from: number, size: number): boolean {
  if (!mayBeMap(cells, from, size)) return false;
  const own = cells.subarray(from, from + size * size);
  const codes = Array.from(own, (value) => (value === 0 ? ZERO : NUMBER + value));
  return mapAmong(codes, codes.length, size) !== undefined;
}

/** Whether most of four cells have the symbol of a neighbour, as nearly all cells of a map have: few grids are looked at. */
function mayBeMap(cells: Uint8Array, from: number, size: number): boolean {
  const end = from + size * size;
  let found = 0;
  for (let k = 0; k < 4; k++) {
    const at = from + Math.floor((k * (size * size - 1)) / 3);
    const code = cells[at];
    if (code === 0) continue;
    const isAlone =
      (at + 1 >= end || cells[at + 1] !== code) &&
      (at <= from || cells[at - 1] !== code) &&
      (at + size >= end || cells[at + size] !== code) &&
      (at - size < from || cells[at - size] !== code);
    if (!isAlone) found++;
  }
  return found > 1;
}
