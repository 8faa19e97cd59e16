/** Writes solutions as JSON, in one list or one per line, in the shape of the puzzle, with the labels of its object. */

import { type Geometry, hasUsualBox, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import { COMMA } from '../bytes/ascii.ts';
import { kept } from '../bytes/kept.ts';
import { type JsonShape, OBJECT, SHAPES } from '../objects/grid.ts';
import type { SolutionWriter } from '../reader.ts';
import type { Layout } from '../records/layout.ts';
import { recordShape } from '../records/record-shape.ts';
import { entryWriter } from '../writing/entry-writer.ts';
import { CELL_MARK, drawnAs } from '../writing/grid-drawing.ts';

/** @param isList whether all entries are in one list; otherwise each is on its own line */
export function jsonWriter(isList: boolean): SolutionWriter {
  const [before, after] = isList ? ['\n', ''] : ['', '\n'];
  return entryWriter({
    extension: 'json',
    contentType: 'application/json',
    begin(out) {
      if (isList) out.text('[');
    },
    write(out, { block, index, cells, offset }) {
      const { layout, notes } = block;
      const arrangement = layout.arrangement ?? 'strings';
      const inObject = arrangement.startsWith(OBJECT);
      const shape = inObject ? arrangement.slice(OBJECT.length) : arrangement;
      out.text(inObject ? `${before}{${rulesText(layout)}"solution":` : before);
      GRID_WRITERS[shape](out, escaped(layout), cells, offset);
      const labels = notes.size === 0 ? undefined : notes.get(index)?.labels;
      out.text(inObject ? `${labels?.toString() ?? ''}}${after}` : after);
    },
    // JSON has no comments, and `null` for a puzzle without a solution.
    comment: () => undefined,
    placeholder: () => `${before}null${after}`,
    end(out) {
      if (isList) out.text('\n]\n');
    },
    separator: () => (isList ? COMMA : 0),
  });
}

/** The members of an object that name its rules, for `rulesOf`; empty for an ordinary puzzle. */
function rulesText(layout: Layout): string {
  const { geometry } = layout;
  return kept(rulesTexts, geometry, () => {
    if (hasUsualBox(geometry.size) && geometry === standardGeometry(geometry.size)) return '';
    const { variant, box, regions } = recordShape(layout);
    return `${JSON.stringify({ variant, box, regions }).slice(1, -1)},`;
  });
}

const rulesTexts = new WeakMap<Geometry, string>();

/** How grids are written, by their shape. */
const GRID_WRITERS = Object.fromEntries(
  SHAPES.map((shape) => [shape, drawnAs((layout) => gridJson(layout, shape))]),
);

/** The drawing of a grid in JSON. */
function gridJson({ geometry, alphabet }: Layout, shape: JsonShape): string {
  const { size, cellCount } = geometry;
  const mark = String.fromCharCode(CELL_MARK);
  const text = (count: number) =>
    `"${Array(count)
      .fill(mark)
      .join(alphabet.singleCharacter ? '' : ' ')}"`;
  const list = (count: number, each: string) => `[${Array(count).fill(each).join()}]`;
  const cell = shape === 'list' || shape === 'numbers' ? mark : text(1);
  if (shape === 'line') return text(cellCount);
  if (shape === 'list' || shape === 'cells') return list(cellCount, cell);
  return list(size, shape === 'rows' ? text(size) : list(size, cell));
}

/** A layout whose symbols are escaped, if one of them ends a text of JSON. */
function escaped(layout: Layout): Layout {
  const { symbols } = layout.alphabet;
  if (!symbols.includes('"') && !symbols.includes('\\')) return layout;
  const own = symbols.map((symbol) => JSON.stringify(symbol).slice(1, -1));
  return { ...layout, alphabet: { ...layout.alphabet, symbols: own } };
}
