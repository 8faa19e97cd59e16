import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../lib/formats/bytes/byte-buffer.ts';
import {
  detectFormat,
  OUTPUT_PROFILES,
  type OutputProfile,
  openReader,
  openWriter,
  type PuzzleDetection,
} from '../../lib/formats/formats.ts';
import type { SolutionWriter, WriterState } from '../../lib/formats/reader.ts';
import { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { propertyRuns } from '../support/depth.ts';
import { bytesOf, fixture } from './reading.ts';

/** Every text layout with its own writer; JSON, XML and tables in their own files. */
const FILES = [
  ['mixed.txt', ['line.txt', 'rows.txt', 'tokens.txt', 'boxed.txt', 'labels.txt', 'poj3076.txt']],
  ['boards.json', ['boards.json']],
  ['games.opensudoku', ['games.opensudoku']],
  ['table.csv', ['table.csv']],
] as const;

/** What is written for one record: its grid, a placeholder, or its grid after a heading. */
type Call = { record: number; kind: 'entry' | 'placeholder' | 'headed' };

interface Sources {
  readonly detection: PuzzleDetection;
  readonly blocks: RecordBlock[];
}

function sourcesOf(files: readonly string[]): Sources {
  const bytes = bytesOf(files.map(fixture).join('\n'));
  const detection = detectFormat(bytes, true, {});
  if (detection.kind !== 'puzzles') throw new Error('no puzzles');
  const reader = openReader(detection, {}, { acquire: (layout) => new RecordBlock(layout, 1) });
  return { detection, blocks: [...reader.push(bytes), ...reader.end()] };
}

function write(writer: SolutionWriter, { blocks }: Sources, calls: readonly Call[], first: boolean): string {
  const out = new ByteBuffer();
  let opens = first;
  for (const { record, kind } of calls) {
    const block = blocks[record % blocks.length];
    if (kind === 'placeholder') {
      const unsolved = { block, index: 0, outcome: { status: 'unsolvable', error: '' }, hasEntries: false };
      writer.placeholder(out, `puzzle ${record}: unsolvable`, opens, unsolved);
    } else {
      const headed = kind === 'headed' && writer.heading(out, `puzzle ${record}, solution 1`, opens);
      writer.entry(out, { block, index: 0, cells: block.cells, offset: 0 }, opens || headed);
    }
    opens = false;
  }
  return textOf(out);
}

function textOf(out: ByteBuffer): string {
  return new TextDecoder().decode(out.take());
}

function edge(writer: SolutionWriter, part: 'begin' | 'end'): string {
  const out = new ByteBuffer();
  writer[part](out);
  return textOf(out);
}

const calls: fc.Arbitrary<Call[]> = fc.array(
  fc.record({
    record: fc.nat(30),
    kind: fc.constantFrom('entry' as const, 'placeholder' as const, 'headed' as const),
  }),
  { maxLength: 12 },
);

describe.each(FILES)('solutions of %s', (_name, files) => {
  const sources = sourcesOf(files);
  const open = (profile: OutputProfile) => openWriter(profile, sources.detection);
  const whole = (profile: OutputProfile, all: readonly Call[]) => {
    const writer = open(profile);
    return edge(writer, 'begin') + write(writer, sources, all, true) + edge(writer, 'end');
  };
  /** Two places at which the entries are divided. */
  const pieces = (all: readonly Call[], cuts: [number, number]) => {
    const [from, to] = cuts.map((cut) => Math.floor(cut * (all.length + 1))).sort((a, b) => a - b);
    return [all.slice(0, from), all.slice(from, to), all.slice(to)];
  };
  const place = fc.nat(999).map((thousandths) => thousandths / 1_000);
  const cuts = fc.tuple(place, place);

  it.each(OUTPUT_PROFILES)('are the same bytes if writers continue from each other: %s', (profile) => {
    fc.assert(
      fc.property(calls, cuts, (all, at) => {
        let state: WriterState | undefined;
        let text = edge(open(profile), 'begin');
        for (const piece of pieces(all, at)) {
          const writer = open(profile);
          if (state !== undefined) writer.restore(JSON.parse(JSON.stringify(state)));
          text += write(writer, sources, piece, state === undefined);
          state = writer.state;
        }
        expect(text + edge(open(profile), 'end')).toBe(whole(profile, all));
      }),
      { numRuns: propertyRuns(12) },
    );
  });

  it.each(OUTPUT_PROFILES)('are the same bytes if written in parallel and joined: %s', (profile) => {
    fc.assert(
      fc.property(calls, cuts, (all, at) => {
        const out = new ByteBuffer();
        const joiner = open(profile);
        joiner.begin(out);
        let before: WriterState | undefined;
        for (const piece of pieces(all, at)) {
          const writer = open(profile);
          const text = write(writer, sources, piece, true);
          if (writer.state === undefined) continue;
          if (before !== undefined) joiner.writeSeparator(out, before.last, writer.state.first);
          out.text(text);
          before = writer.state;
        }
        joiner.end(out);
        expect(textOf(out)).toBe(whole(profile, all));
      }),
      { numRuns: propertyRuns(12) },
    );
  });
});
