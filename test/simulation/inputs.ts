/** The files that simulated users upload: one of each kind that the program treats differently. */
import { gzipSync } from 'node:zlib';
import { CUT_OFF, EASY, HARD, MIXED_FILE, MIXED_OPTIONS, TWO_SOLUTIONS } from '../support/puzzles.ts';

export interface Input {
  readonly name: string;
  readonly bytes: Buffer;
  readonly options: Readonly<Record<string, string>>;
}

function input(
  name: string,
  text: string | Uint8Array,
  options: Readonly<Record<string, string>> = {},
): Input {
  return { name, bytes: Buffer.from(text as string), options };
}

export const INPUTS: readonly Input[] = [
  input('easy.txt', `${EASY}\n`.repeat(12)),
  input('mixed.txt', MIXED_FILE, MIXED_OPTIONS),
  input('several.txt', `${TWO_SOLUTIONS}\n${HARD}\n`.repeat(3), { solutions: 'all' }),
  input('grids.json', JSON.stringify([EASY, HARD, TWO_SOLUTIONS].map((puzzle) => ({ puzzle })))),
  input('packed.txt.gz', gzipSync(`${EASY}\n${HARD}\n`.repeat(20))),
  input('cover.txt', 'a b c\na\nb c\na b\nc\n'),
  input('empty.txt', ''),
  // With a format: without one, every format is tried for the message of the reject.
  input('prose.txt', 'Dear all,\nplease find no puzzles attached.\n', { format: 'lines' }),
  input('corrupt.txt.gz', gzipSync(`${EASY}\n`.repeat(50)).subarray(0, 60)),
  input('option.txt', `${EASY}\n`, { engine: 'abacus' }),
];

/** So long that a slow function hands it over; its shards are a few kilobytes. */
export const LARGE_INPUT = input(
  'long.txt',
  `${`${EASY}\n`.repeat(58)}${TWO_SOLUTIONS}\n${CUT_OFF}\n`.repeat(7),
);
/** Cannot be cut at any byte: it is scanned from the beginning. */
export const LARGE_JSON = input(
  'long.json',
  JSON.stringify(
    Array.from({ length: 180 }, (_, k) => ({ id: k, puzzle: k % 40 === 7 ? CUT_OFF : EASY })),
    null,
    1,
  ),
);

/** Uploads that are deleted at once, while two deliveries of their event are at work. */
const RACE_PREFIX = 'inbox/race/';

export function raceKey(number: number): string {
  return `${RACE_PREFIX}${number}.txt`;
}

/** Whether a key, or an event, is of such an upload. */
export function isRace(text: string): boolean {
  return text.includes(RACE_PREFIX);
}
