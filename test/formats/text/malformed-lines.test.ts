/** In a file with a puzzle a line, each line is one record in its place, whatever it holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../support/depth.ts';
import { CLASSIC, CLASSIC_SOLUTION, fixture, readText, rowsOf } from '../reading.ts';

const SIX = '25...661.52..4..15........1..2.3..41';
const FOUR = '1..4..2..3..4..1';
const SIXTEEN = fixture('poj3076.txt').replaceAll('\n', '');

/** Good lines of files of one puzzle a line. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  '9x9': [CLASSIC],
  'two blanks': [CLASSIC, CLASSIC.replaceAll('.', '0')],
  labels: [`${CLASSIC} easy, 1.5`, CLASSIC],
  'expected results': [`${CLASSIC}:1:${CLASSIC_SOLUTION}`],
  'a puzzle bank': [`0000183b305c ${CLASSIC}  1.2`],
  '4x4': [FOUR],
  '6x6': [SIX],
  '16x16': [SIXTEEN],
  'several sizes': [CLASSIC, SIXTEEN],
  tokens: [[...CLASSIC].join(' ')],
};

/** What may have happened to a line. */
const DAMAGES: ReadonlyArray<(line: string, at: number) => string> = [
  (line) => line.slice(1),
  (line) => `${line.slice(0, 10)}${line}`,
  (line, at) => line.slice(0, 1 + (at % (line.length - 1))),
  (line) => line.slice(0, 40),
  (line) => line.slice(0, 25),
  (line) => line.slice(0, 9),
  (line, at) => `${line.slice(0, at % line.length)}%${line.slice((at % line.length) + 1)}`,
  (line, at) => `${line.slice(0, at % line.length)} ${line.slice((at % line.length) + 1)}`,
  (line) => line.replaceAll(/[1-9]/g, '%'),
  () => 'no puzzle today',
  () => '%%%%%%%%%%',
  () => 'x',
  () => '?!',
];

/** Whether a line is no record: a lone integer before a puzzle may be its number. */
const isHeader = (line: string) => /^\s*\d{1,9}\s*$/.test(line) || line.trim() === '';

const good = fc.nat(100).map((index) => ({ index, damage: undefined as number | undefined, at: 0 }));
const bad = fc.record({
  index: fc.nat(100),
  damage: fc.nat(DAMAGES.length - 1) as fc.Arbitrary<number | undefined>,
  at: fc.nat(1000),
});

describe.each(Object.entries(FILES))('a file of lines: %s', (_name, lines) => {
  it('has a record for each line, in its place, in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(good, good, bad), { minLength: 2, maxLength: 12 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.uniqueArray(fc.nat(2000), { maxLength: 6 }),
        (choices, end, isOpen, cuts) => {
          // Most lines of the head are puzzles.
          const head = Array.from({ length: choices.length + 1 }, (_, k) => lines[k % lines.length]);
          const rest = choices.map(({ index, damage, at }) => {
            const line = lines[index % lines.length];
            return damage === undefined ? line : DAMAGES[damage](line, at);
          });
          const all = [...rest, ...head];
          fc.pre(!all.some(isHeader));
          const text = all.join(end) + (isOpen ? '' : end);
          const { records } = readText(text);
          expect(records.map(({ line, lineEnd }) => [line, lineEnd])).toEqual(
            all.map((_, at) => [at + 1, at + 1]),
          );
          const whole = all.flatMap((line, at) => (lines.includes(line) ? [at] : []));
          expect(whole.filter((at) => records[at].notes?.error !== undefined)).toEqual([]);
          const inText = cuts.filter((cut) => cut < text.length).sort((a, b) => a - b);
          expect(readText(text, {}, inText).records).toEqual(records);
        },
      ),
      { numRuns: propertyRuns(12) },
    );
  });
});

describe('the error of a malformed line', () => {
  const cases: Array<[line: string, code: string, words: string[]]> = [
    [CLASSIC.slice(1), 'bad_length', ['80 characters', '81']],
    [`${CLASSIC}1`, 'bad_length', ['82 characters', '81']],
    [CLASSIC.slice(0, 40), 'bad_length', ['40 characters', '81']],
    [CLASSIC.slice(0, 25), 'bad_length', ['25 characters', '81']],
    [CLASSIC.slice(0, 9), 'bad_length', ['9 characters', '81']],
    [CLASSIC.replace('7', '%'), 'bad_character', ['"%"', '9x9']],
    [`${CLASSIC.slice(0, 16)} ${CLASSIC.slice(17)}`, 'bad_character', ['" "', '9x9']],
    [`${CLASSIC.slice(1)} easy`, 'bad_length', ['80 characters', '81']],
    [`0000183b305c ${CLASSIC.slice(1)}  1.2`, 'bad_length', ['80 characters', '81']],
    ['to be continued', 'bad_character', ['to be continued', '81']],
  ];
  it.each(cases)('%s: %s', (line, code, words) => {
    const { records } = readText(`${line}\n${line}\n${CLASSIC}\n${CLASSIC}\n${line}`);
    expect(records.map((record) => [record.line, record.notes?.error?.code])).toEqual([
      [1, code],
      [2, code],
      [3, undefined],
      [4, undefined],
      [5, code],
    ]);
    for (const word of words) expect(records[1].notes?.error?.message).toContain(word);
    expect(records[1].notes?.error?.line).toBe(2);
  });
});

describe('next to lines', () => {
  const grid = rowsOf(CLASSIC).join('\n');
  it('grids are read, also after a malformed line', () => {
    const text = `${CLASSIC}\n${CLASSIC}\n${CLASSIC.slice(1)}\n${grid}\n\nGrid 2\n${grid}\n${CLASSIC}\n`;
    const { records } = readText(text);
    expect(records.map(({ line, format, notes }) => [line, notes?.error === undefined && format])).toEqual([
      [1, 'line'],
      [2, 'line'],
      [3, false],
      [4, 'rows'],
      [15, 'rows'],
      [24, 'line'],
    ]);
  });

  it('no grid begins in the middle of a damaged one', () => {
    const spaced = rowsOf(CLASSIC.replaceAll('.', ' '));
    const text = `${CLASSIC}\n\n${[...spaced, spaced[0]].join('\n')}\n\n${CLASSIC}\n`;
    const { records } = readText(text);
    expect(records.filter(({ notes }) => notes?.error === undefined).map(({ line }) => line)).toEqual([
      1, 14,
    ]);
  });
});

it('a page of text among few puzzles is one record', () => {
  const page = 'Dear reader, none today\n'.repeat(50);
  const { records } = readText(`${CLASSIC}\n${page}\n${CLASSIC}\n`);
  expect(records.map(({ line, notes }) => [line, notes?.error === undefined])).toEqual([
    [1, true],
    [2, false],
    [53, true],
  ]);
});
