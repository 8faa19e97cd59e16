/**
 * Drawings of records in `grids.txt`: a record, in JSON, is a 4x4 with the fields that differ, and `other` is a solution that is drawn
 * elsewhere; `<5*369>` is a text so many times. Below it are the symbols, those of the solution in parentheses, the places that
 * are marked, and the lines. `npm run deliveries` writes what is drawn now.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type DrawnGrid, drawnGrid, recordGrid } from '../../../lib/batch/report/drawn-grid.ts';
import { GridShapes, gridFigure } from '../../../lib/batch/report/grid-figure.ts';
import type { JobRecord } from '../../../lib/batch/results/job-record.ts';

const SMALL: JobRecord = {
  ...{ index: 1, line: 1, lineEnd: 1, status: 'solved' },
  ...{ size: 4, box: '2x2', variant: 'standard', blank: '.' },
  puzzle: '1..............2',
  solution: '1234341221434321',
};
const FILE = new URL('grids.txt', import.meta.url).pathname;

/** Of all records of the file. */
const shapes = new GridShapes();
const told = new Set<string>();

function drawn(given: string): string[] {
  const text = given.replaceAll(/<([^*<>]+)\*(\d+)>/g, (_, sign: string, times: string) =>
    sign.repeat(Number(times)),
  );
  // null stands for what is absent.
  const { other, ...partial } = JSON.parse(text);
  const absent = Object.fromEntries([...text.matchAll(/"(\w+)":null/g)].map(([, name]) => [name, undefined]));
  const record: JobRecord = { ...SMALL, ...partial, ...absent };
  const read = recordGrid(record);
  if (read === undefined) return ['not drawn'];
  const grid = drawnGrid(read, record, record.solution as string | undefined, other);
  const marks = (['isShaded', 'isClashing', 'isDiffering'] as const).flatMap((mark) => {
    const places = [...grid.cells.keys()].filter((place) => grid.cells[place]?.[mark]);
    return places.length === 0 ? [] : [`${mark}: ${places.join(' ')}`];
  });
  const name = shapes.nameOf(grid);
  // The lines of a shape are told once.
  const isNew = !told.has(name);
  told.add(name);
  const shown = isNew
    ? /<path class="(thin|thick|dashed|clash)" d="([^"]*)"/g
    : /<path class="(clash)" d="([^"]*)"/g;
  const paths = gridFigure(grid, '').source.matchAll(shown);
  return [...symbolsOf(grid), ...marks, name, ...Array.from(paths, ([, path, d]) => `${path}: ${d}`)];
}

function symbolsOf({ cells, columns }: DrawnGrid): string[] {
  const texts = cells.map((cell) => {
    if (cell === undefined) return ' ';
    if (cell.symbol === '') return '.';
    return cell.isGiven ? cell.symbol : `(${cell.symbol})`;
  });
  return Array.from({ length: cells.length / columns }, (_, row) =>
    texts
      .slice(row * columns, (row + 1) * columns)
      .join('')
      .trimEnd(),
  );
}

it('records are drawn as their file says', async () => {
  const lines = readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => !/^ {4}/.test(line))
    .flatMap((line) =>
      line.startsWith('  {') ? [line, ...drawn(line).map((each) => `    ${each}`)] : [line],
    );
  await expect(lines.join('\n')).toMatchFileSnapshot(FILE);
});
