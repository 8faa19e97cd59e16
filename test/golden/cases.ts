/** The cases of the golden corpus: inputs, and the options with which each is solved. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { langford, queens } from '../exact-cover/classic-problems.ts';
import { catalogue, wellFormedFiles } from '../formats/catalogue.ts';
import { applyDamage, DAMAGE_KINDS } from '../formats/damage-bytes.ts';
import { denseText, knuthText, sparseText } from '../formats/exact-cover/problem-files.ts';
import { CLASSIC, fixture } from '../formats/reading.ts';
import { SAMURAI, SAMURAI_LINES, SAMURAI_TEXTS } from '../formats/samurai-texts.ts';
import { HDU_LAYOUTS, LEETCODE_TEXTS, POJ_TEXTS } from '../formats/seed-texts.ts';
import { MIXED_FILE } from '../support/puzzles.ts';
import { FORMATS, generatedFiles, type Input, PROFILES, samples, VARIANTS } from './library.ts';

interface CaseInput extends Input {
  /** Options for facts that the file itself does not state. */
  readonly stated?: string;
}

export interface GoldenCase extends Input {
  /** `name=value`, separated by spaces. */
  readonly options: string;
}

const sets = (text: string) => text.trim().split(/\s*,\s*/);
const withEach = (name: string, values: readonly string[], rest = '') =>
  values.map((value) => `${name}=${value}${rest}`);

const PROFILE_SETS = withEach('output', PROFILES);
// Four, as there were once: another number would give most files other options.
const ENGINE_SETS = withEach(
  'engine',
  ['dlx', 'bitboard', 'dlx', 'backtrack'],
  ' max-nodes=5000 records=true',
);
const OTHER_SETS = [
  ...sets('solutions=1, solutions=5 max-nodes=500, solutions=all max-nodes=500 output=jsonl'),
  ...sets('solutions=all max-nodes=500 count-only=true, strict=true output=grid, max-nodes=3 records=true'),
  // Without the last, which came later: another number would give most files other options.
  ...withEach(
    'format',
    FORMATS.filter((format) => format !== 'sets'),
  ),
  ...withEach('variant', VARIANTS, ' max-nodes=2000'),
  ...withEach('box', ['3x3', '2x3', '3x2', '4x4', '1x9'], ' max-nodes=2000'),
  ...withEach('alphabet', ['1-9', 'A-P', '0-9A-F', '123456789', '987654321', '012345678']),
];
/** For files that have one or two sets. */
const FEW_SETS = sets(`
  max-nodes=500, records=true max-nodes=500, output=grid max-nodes=500, output=line strict=true max-nodes=500,
  output=jsonl max-nodes=500, output=csv max-nodes=500, output=hdu max-nodes=500, output=luogu max-nodes=500,
  output=tokens max-nodes=500, engine=backtrack max-nodes=500, engine=bitboard records=true,
  solutions=1 records=true max-nodes=500, solutions=all max-nodes=500, solutions=5 output=jsonl max-nodes=500
`);
const COVER_SETS = sets(`
  solutions=1, solutions=3 records=true, solutions=all count-only=true, strict=true, max-nodes=3, output=grid,
  solutions=all max-nodes=2000, solutions=all max-nodes=2000 output=jsonl, output=jsonl records=true,
  engine=backtrack variant=x
`);

/**
 * All cases, the same on every machine; duplicates (equal bytes and options) are removed.
 *
 * @param isWhole whether those are among them that take a second to generate
 */
export function goldenCases(isWhole = true): GoldenCase[] {
  const cases = [
    ...fixtures().flatMap((file) => [
      ...withOptions(file, ['', 'solutions=all max-nodes=500', 'records=true', 'strict=true']),
      ...withOptions(file, [...chosen(file, PROFILE_SETS, 5), ...chosen(file, ENGINE_SETS, 2)]),
      ...withOptions(file, chosen(file, OTHER_SETS, 7)),
    ]),
    ...seedSamples().flatMap((file) => withOptions(file, ['', ...chosen(file, FEW_SETS, 1)])),
    ...[...generated(isWhole), ...rewritten(), ...damaged()].flatMap((file) =>
      withOptions(file, chosen(file, FEW_SETS, 1)),
    ),
    ...covers().flatMap((file) => withOptions(file, ['', ...chosen(file, COVER_SETS, 6)])),
    ...unreadable().flatMap((file) => withOptions(file, [''])),
    ...catalogued().flatMap((file) => withOptions(file, ['records=true max-nodes=500'])),
  ];
  const keys = cases.map(
    ({ plain, pack, options }) => `${options} ${pack?.name} ${Buffer.from(plain).toString('latin1')}`,
  );
  const seen = new Set<string>();
  return cases.filter((_, k) => seen.size < seen.add(keys[k]!).size);
}

/** The cases of `npm test`: of each kind of file the first, the first with each option, and an eighth of the others. */
export function someOf(cases: readonly GoldenCase[]): GoldenCase[] {
  const seen = new Set<string>();
  return cases.filter(({ name, options }, k) => {
    const before = seen.size;
    for (const fact of [name.split(/[:,]|(?<= \S+) /)[0]!, ...options.split(' ')]) seen.add(fact);
    return seen.size > before || k % 8 === 0;
  });
}

/** Some of the sets, chosen by the file's bytes, so that the choice does not depend on other files and sets. */
function chosen({ plain }: Input, from: readonly string[], count: number): string[] {
  const file = createHash('sha256').update(plain).digest('hex');
  const rank = (set: string) => createHash('sha256').update(file).update(set).digest('hex');
  const ranked = from.map((set) => [rank(set), set] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return ranked.slice(0, count).map(([, set]) => set);
}

function withOptions({ stated = '', ...file }: CaseInput, sets: readonly string[]): GoldenCase[] {
  return sets.map((set) => ({ ...file, options: `${set} ${stated}`.trim() }));
}

function input(name: string, text: string | Uint8Array): CaseInput {
  return { name, plain: Uint8Array.from(Buffer.from(text)) };
}

function inputs(
  prefix: string,
  texts: Readonly<Record<string, string | Uint8Array>>,
  stated = '',
): CaseInput[] {
  return Object.entries(texts).map(([name, text]) => ({ ...input(`${prefix}${name}`, text), stated }));
}

/** The cases of a folder of the catalogue, whose results are kept as well: data of puzzle editors, rules, columns, openings of code, and places of errors. */
function catalogued(): CaseInput[] {
  const cases = catalogue().filter(({ name }) => name.startsWith('results/'));
  return cases.map((each) => input(each.title, each.input));
}

function fixtures(): CaseInput[] {
  const folder = new URL('../fixtures/', import.meta.url);
  const names = readdirSync(new URL('formats/', folder)).sort();
  return ['9x9-counts.txt', ...names.map((name) => `formats/${name}`)].map((name) =>
    input(`fixture ${name}`, readFileSync(new URL(name, folder))),
  );
}

/** Sizes of each variant that take a few milliseconds to generate; `=` precedes another box. */
const SIZES = {
  standard: '4 6 8 9 10 12 16 25 6=3x2 12=2x6 15=3x5',
  latin: '4 6 8 9 10 12 16 25',
  'latin-x': '4 6 8 9 10 12 16',
  x: '4 6 8 9 10 12 16',
  windoku: '4 9',
  'windoku-x': '4 9',
  jigsaw: '4 6 8 9 10 12',
  'jigsaw-x': '4 9',
  'jigsaw-boxes': '4 9',
  samurai: '9',
};

/** Puzzles of each shape in each profile. */
function generated(isWhole: boolean): CaseInput[] {
  const shapes = VARIANTS.flatMap((variant) =>
    SIZES[variant].split(' ').map((shape) => ({ variant, shape })),
  );
  return shapes.flatMap(({ variant, shape }, k) => {
    const [size, box] = shape.split('=');
    if (!isWhole && variant === 'jigsaw' && Number(size) > 9) return [];
    const ruled = variant === 'standard' || variant === 'jigsaw' ? '' : `variant=${variant}`;
    // With most other seeds, some jigsaw takes a second.
    const files = generatedFiles(variant, Number(size), box, 1 + k);
    return inputs(`generated ${variant} ${shape} `, files, box === undefined ? ruled : `box=${box}`);
  });
}

function seedSamples(): CaseInput[] {
  return [
    ...HDU_LAYOUTS.map(([name, change]) => input(`HDU 1426, ${name}`, change(fixture('hdu1426.txt')))),
    ...POJ_TEXTS.map(([name, text]) => input(`POJ 3076, ${name}`, text)),
    ...LEETCODE_TEXTS.map(([name, text]) => input(`LeetCode, ${name}`, text)),
    ...Object.entries(SAMURAI_TEXTS).map(([name, write]) =>
      input(`samurai, ${name}`, write(SAMURAI).repeat(2)),
    ),
    ...Object.entries(SAMURAI_LINES).map(([name, write]) => input(`samurai line, ${name}`, write(SAMURAI))),
    ...samples().map(({ name, text }) => input(`sample ${name}`, text)),
  ];
}

/** Well-formed files of every format, with one damage each. */
function damaged(): CaseInput[] {
  return Object.entries(wellFormedFiles()).flatMap(([name, pieces]) =>
    DAMAGE_KINDS.map((kind, k) => {
      const bytes = Buffer.from(pieces.join(''));
      const seed = bytes.length + 31 * k;
      const damage = {
        kind,
        at: ((seed * 7919) % 997) / 997,
        length: 1 + (seed % 29),
        byte: (seed * 37) % 256,
      };
      return input(`damaged ${name}, ${kind}`, applyDamage(bytes, damage).damaged);
    }),
  );
}

const gzip = (plain: Uint8Array) => gzipSync(plain);
const cutGzip = (plain: Uint8Array) => gzipSync(plain).subarray(0, 60);

/** Puzzles as other programs and editors write them. */
function rewritten(): CaseInput[] {
  const changes: Record<string, (text: string) => string> = {
    CRLF: (text) => text.replaceAll('\n', '\r\n'),
    'byte-order mark': (text) => `\ufeff${text}`,
    'cut off': (text) => text.slice(0, Math.floor(text.length * 0.77)),
    'front cut off': (text) => text.slice(37),
    comments: (text) => text.replaceAll('\n', '\n# a comment\n; and another\n'),
    labels: (text) => text.replaceAll('\n', ' süß, no. 7 # hard\n'),
    'spaces as blanks': (text) => text.replaceAll('.', ' '),
    'hashes as blanks': (text) => text.replaceAll('.', '#'),
    'hashes apart': (text) => text.replaceAll('.', '#').replaceAll(/(?<=[\d#])(?=[\d#])/g, ' '),
    'trailing blanks stripped': (text) => text.replaceAll('.', ' ').replaceAll(/ +$/gm, ''),
    'another layout after it': (text) => `${text}\n${fixture('euler96.txt')}\n${fixture('poj3076.txt')}`,
  };
  const names = [
    'line.txt',
    'rows.txt',
    'tokens.txt',
    'table.csv',
    'boxed.txt',
    'simple-sudoku.ss',
    'mixed.txt',
  ];
  const texts = [...names.map((name) => [name, fixture(name)] as const), ['statuses', MIXED_FILE] as const];
  return [
    ...texts.flatMap(([name, text]) =>
      Object.entries(changes).map(([how, change]) => input(`${name}, ${how}`, change(text))),
    ),
    ...texts.map(([name, text]) => ({ ...input(`${name}, gzip`, text), pack: gzip })),
    input('table with # as a column', `#,puzzle\n1,${CLASSIC}\n2,${CLASSIC.slice(1)}\n`),
  ];
}

/** Exact-cover files by their option; it names the format if the content does not decide it. */
function covers(): CaseInput[] {
  const coloured = '| colours\nA B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n';
  const problems = Object.entries({ queens: queens(6), langford: langford(4), 'langford 5': langford(5) });
  const written = (write: (problem: Parameters<typeof knuthText>[0]) => string) =>
    Object.fromEntries(problems.map(([name, problem]) => [name, write(problem)]));
  const files: Record<string, Record<string, string>> = {
    'format=dlx': {
      coloured,
      'two solutions': 'A B\nA\nB\nA B\n',
      'no solution': 'A B C\nA B\nB C\n',
      'an unknown item': `${coloured}D\n`,
      'long names': 'ABCDEFGH | ABCDEFGHI\nABCDEFGH ABCDEFGHI:red\n',
      'many options without a primary item': `A | X\nA\n${'X\n'.repeat(12)}`,
      'an item named #': '# one two | three\n# one\n# three:a\none\ntwo  three:a\ntwo\n',
      'no options': 'A B\n',
      multiplicities: '| repeated\nA B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n',
      costs: 'a b c x y z\na x |4\na y |2\na z |8\nb x |4\nb y |3\nb z |7\nc x |3\nc y |1\nc z |5 |1\n',
      both: '0:1|a 2|b c\na b |1\nb c |0 |2\na c\nb |10\nc |3\nb c |1\n',
      'a lower limit above the upper one': 'A 3:2|B\nA B\n',
      'a cost that is no number': 'A B\nA |7x\nB\n',
    },
    '': { detected: coloured, ...written(knuthText) },
    'format=sparse': {
      statuses: '2\n0\n1\n\n2\n0\n1\n0 1\n\n2\n0\n\n2\n7\n\n1 1\n0\n',
      ...written(sparseText),
    },
    'format=dense': {
      statuses: '2\n10\n01\n\n2\n11\n\n2\n1\n\n2\n1x\n',
      ...written(denseText),
    },
  };
  return Object.entries(files).flatMap(([format, texts]) => inputs('cover ', texts, format));
}

/** Files that are rejected as a whole, and empty ones. */
function unreadable(): CaseInput[] {
  const text = fixture('line.txt');
  const texts = {
    'no bytes': '',
    'comments only': '# nothing\n\n// here\n',
    prose: 'Dear all,\nplease find the puzzles attached.\n',
    numbers: '3 4 5\n12 9\n',
    XML: '<html><body>no game</body></html>\n',
    'JSON without a grid': '{"name": "none", "cells": 81}\n',
    'UTF-16': Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16 without a mark': Buffer.from(text, 'utf16le'),
    ZIP: Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0),
    bytes: Uint8Array.from({ length: 300 }, (_, k) => (k * 89) % 256),
  };
  return [...inputs('', texts), { ...input('line.txt, gzip cut off', text), pack: cutGzip }];
}
