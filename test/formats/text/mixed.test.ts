import { describe, expect, it } from 'vitest';
import { detectFormat, openReader } from '../../../lib/formats/formats.ts';
import { RecordBlock } from '../../../lib/formats/records/record-block.ts';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import { createAnswers } from '../../../lib/sudoku/engine.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { bytesOf, fixture, readText } from '../reading.ts';

/** The puzzles of the fixture, in order. */
const PUZZLES = [
  'line 9 standard',
  'line 9 standard, easy, from the seaside',
  'expected 9 standard',
  'bank 9 standard, 0d1f00c0ffee',
  'rows 9 standard, Grid 01',
  'rows 9 standard, Grid 02',
  'rows 9 standard',
  'rows 9 standard',
  'tokens 9 standard',
  'tokens 12 standard',
  'boxed 9 standard',
  'boxed 9 standard',
  'boxed 9 standard',
  'rows 16 standard',
  'line 4 standard',
  'line 4 standard',
  'line 4 standard',
  'rows 6 standard',
  'jigsaw 9 jigsaw',
  'rows 9 jigsaw',
  'walls 9 jigsaw',
  'rows 9 standard',
];

describe('one file that mixes its layouts', () => {
  const text = fixture('mixed.txt');

  it('is read puzzle by puzzle, without a warning', () => {
    const blocks = blocksOf(text);
    const found = blocks.flatMap((block) =>
      Array.from({ length: block.count }, (_, i) => {
        const { format, geometry } = block.layout;
        const id = block.notes.get(i)?.id;
        return `${format} ${geometry.size} ${geometry.variant}${id === undefined ? '' : `, ${id}`}`;
      }),
    );
    expect(found).toEqual(PUZZLES);
    expect(readText(text).records.filter(({ notes }) => notes?.error ?? notes?.warnings)).toEqual([]);
  });

  it('is solved, each puzzle with the one solution that the file expects', () => {
    const engine = createEngine('dlx');
    const limits = {
      maxSolutions: 2,
      maxNodes: 1_000_000,
      sliceNodes: Number.POSITIVE_INFINITY,
      pauseAtSolution: false,
    };
    for (const block of blocksOf(text)) {
      const { geometry, cells, count } = block;
      const answers = createAnswers(count, geometry.cellCount);
      engine.solve(block, 0, count, limits, answers);
      for (let i = 0; i < count; i++) {
        const at = i * geometry.cellCount;
        expect([block.line[i], answers.solutions[i]]).toEqual([block.line[i], 1]);
        expect(isSolutionOf(geometry, cells, at, answers.cells, at)).toBe(true);
        const solution = answers.cells.slice(at, at + geometry.cellCount);
        expect(block.notes.get(i)?.expected?.solution ?? solution).toEqual(solution);
      }
    }
  });
});

function blocksOf(text: string): RecordBlock[] {
  const bytes = bytesOf(text);
  const detection = detectFormat(bytes, true, {});
  if (detection.kind !== 'puzzles') throw new Error(`the fixture is ${detection.kind}`);
  const reader = openReader(detection, {}, { acquire: (layout) => new RecordBlock(layout, 8) });
  return [...reader.push(bytes), ...reader.end()];
}
