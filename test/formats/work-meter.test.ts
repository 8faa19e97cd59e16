import { describe, expect, it } from 'vitest';
import { detect } from '../../lib/formats/detect.ts';
import type { PuzzleDetection } from '../../lib/formats/formats.ts';
import { RecordBlock } from '../../lib/formats/records/record-block.ts';
import { openFormatReader } from '../../lib/formats/survey.ts';
import { WorkLimitError, WorkMeter } from '../../lib/formats/work-meter.ts';
import { wellFormedFiles } from './catalogue.ts';
import { bytesOf, CLASSIC } from './reading.ts';

/** A meter near its limit. */
function nearlyFull(): WorkMeter {
  const work = new WorkMeter(1);
  work.spend(64 * 1024 * 1024);
  return work;
}

const JUNK = bytesOf('[2026-01-02] [info] nothing to see\n'.repeat(100));

describe('a limit of work', () => {
  it('ends detection with an error that says what was spent, the limit and the option', () => {
    const detection = detect(JUNK, true, {}, nearlyFull());
    expect(detection).toMatchObject({
      kind: 'unreadable',
      error: {
        code: 'too_large',
        message: expect.stringMatching(/\d+ bytes were examined.*limit.*option format/),
      },
    });
    expect(detect(JUNK, true, {})).not.toMatchObject({ error: { code: 'too_large' } });
  });

  it.each([
    ['rows above a map', wellFormedFiles()['jigsaws above their maps']!.join('')],
    ['JSON', wellFormedFiles()['JSON objects in another object']!.join('')],
    ['a table with an open quote', `puzzle\n"${CLASSIC}"\n"1\n1\n`],
  ])('ends the reading of %s', (_name, text) => {
    const bytes = bytesOf(text);
    const { format, settings } = detect(bytes, true, {}) as PuzzleDetection;
    const pool = { acquire: (layout: RecordBlock['layout']) => new RecordBlock(layout, 64) };
    const readWith = (work: WorkMeter) => {
      const reader = openFormatReader(format, settings, {}, pool, undefined, undefined, work);
      for (const _ of reader.push(bytes));
      for (const _ of reader.end());
    };
    const work = new WorkMeter();
    readWith(work);
    expect(work.spent).toBeGreaterThan(0);
    const full = new WorkMeter(0);
    full.spend(64 * 1024 * 1024);
    expect(() => readWith(full)).toThrow(WorkLimitError);
  });

  it('grows with the bytes that a reader is fed', () => {
    const work = new WorkMeter();
    work.spend(64 * 1024 * 1024);
    expect(() => work.spend(1)).toThrow(WorkLimitError);
    const fed = new WorkMeter();
    fed.feed(1);
    fed.spend(64 * 1024 * 1024);
    expect(() => fed.spend(900)).not.toThrow();
  });
});
