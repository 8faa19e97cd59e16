/** Writes solutions as JSON, in one list or one per line, in the shape of the puzzle, with the labels of its object. */

import { hasUsualBox, standardGeometry } from '../../sudoku/geometry/geometry.ts';
import { COMMA } from '../bytes/ascii.ts';
import { OBJECT } from '../objects/grid.ts';
import type { SolutionWriter } from '../reader.ts';
import type { Layout } from '../records/layout.ts';
import { recordShape } from '../records/record-shape.ts';
import { entryWriter } from '../writing/entry-writer.ts';
import { drawnAs, lineDrawing } from '../writing/grid-drawing.ts';

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
      out.text(before);
      writeValue(out, escaped(layout), cells, offset);
      const labels = notes.size === 0 ? undefined : notes.get(index)?.labels;
      out.text(layout.arrangement?.startsWith(OBJECT) ? `${labels?.toString() ?? ''}}${after}` : after);
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

/** A grid, or an object with one and the members that name its rules, without its end. */
const writeValue = drawnAs((layout) => {
  const { arrangement = 'strings' } = layout;
  if (!arrangement.startsWith(OBJECT)) return gridJson(layout, arrangement);
  const grid = gridJson(layout, arrangement.slice(OBJECT.length));
  return `{${rulesText(layout)}"solution":${grid}`;
});

/** The members of an object that name its rules, for `rulesOf`; empty for an ordinary puzzle. */
function rulesText(layout: Layout): string {
  const { geometry } = layout;
  if (hasUsualBox(geometry.size) && geometry === standardGeometry(geometry.size)) return '';
  const { variant, box, regions } = recordShape(layout);
  return `${JSON.stringify({ variant, box, regions }).slice(1, -1)},`;
}

/** The drawing of a grid in a shape of JSON; see `JsonShape`. */
function gridJson(layout: Layout, shape: string): string {
  const { size, cellCount } = layout.geometry;
  const text = (count: number) => `"${lineDrawing(layout, count)}"`;
  const list = (count: number, each: string) => `[${Array(count).fill(each).join()}]`;
  const cell = shape === 'list' || shape === 'numbers' ? lineDrawing(layout, 1) : text(1);
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
