/** Links with data of puzzle editors: the input is the data, which is compressed before it is read. */
import LZString from 'lz-string';
import { CLASSIC, rowsOf } from '../../formats/reading.ts';
import type { Target } from '../target.ts';
import { checkRecords } from './records.ts';

const cells = (blank: object, given: (digit: number) => object) =>
  rowsOf(CLASSIC).map((row) => [...row].map((digit) => (digit === '.' ? blank : given(Number(digit)))));
const board = { size: 9, title: 'A', grid: cells({}, (value) => ({ value, given: true })) };
const scl = {
  id: 'a',
  cells: cells({}, (value) => ({ value })),
  regions: [],
  cages: [],
  metadata: { rules: 'x' },
};
const short = `{id:'a',ce:[${rowsOf(CLASSIC)
  .map((row) => `[${[...row].map((digit) => (digit === '.' ? '' : `{v:${digit}}`)).join()}]`)
  .join()}],settings:{x:t}}`;
const seeds: readonly [form: string, data: object | string][] = [
  ['f', board],
  ['f', { ...board, 'diagonal+': true, 'diagonal-': true }],
  [
    'f',
    {
      size: 4,
      grid: [
        [{ value: 1 }, {}, {}, {}],
        [{}, {}, {}, {}],
        [{}, {}, {}, {}],
        [{ region: 1 }, {}, {}, {}],
      ],
    },
  ],
  ['s', scl],
  [
    's',
    { ...scl, regions: rowsOf(CLASSIC).map((_, row) => rowsOf(CLASSIC).map((__, column) => [row, column])) },
  ],
  ['c', short],
  [
    's',
    {
      cells: [[{}, { value: 1 }]],
      cages: [
        {
          cells: [
            [0, 0],
            [0, 1],
          ],
          value: 3,
          unique: true,
        },
      ],
    },
  ], // prettier-ignore
  ['f', { size: 9, grid: [], cage: [{ cells: ['R1C1', 'R1C2'], value: '3' }], thermometer: [], arrow: [] }],
  ['e', scl],
  ['x', `fpuzzles${LZString.compressToBase64(JSON.stringify(board)).slice(0, 300)}`],
];

export const links: Target = {
  name: 'links',
  seeds: () =>
    seeds.map(([form, data]) => `${form}${typeof data === 'string' ? data : JSON.stringify(data)}`),
  tokens: [
    '{"value":5}',
    '"given":true',
    '"size":9',
    '"region":0',
    '"grid":',
    '"cells":',
    '"regions":',
    '"cages":',
    '"ce":',
    'v:5',
    't',
    'f',
    '[[0,0],[0,1]]',
    '"diagonal+":true',
    '"antiknight":true',
    '"metadata":{}',
    '"solution":"',
    '"disabledlogic":',
    '"fogofwar":[]',
    '%7B',
    '==',
  ], // prettier-ignore
  maxBytes: 4096,
  maxWork: { base: 20_000_000, perByte: 20_000 },
  run(input) {
    const data = input.subarray(1).toString();
    const link = LINKS[String.fromCharCode(input[0] ?? 0)] ?? LINKS.x!;
    checkRecords(Buffer.from(`${link(data)}\n`), {});
  },
};

const LINKS: Readonly<Record<string, (data: string) => string>> = {
  f: (data) => `https://www.f-puzzles.com/?load=${LZString.compressToBase64(data)}`,
  s: (data) => `https://sudokupad.app/scl${LZString.compressToBase64(data)}`,
  c: (data) => `ctc${LZString.compressToBase64(data)}`,
  e: (data) =>
    `scl${Buffer.from(data)
      .toString('latin1')
      .replaceAll(/[^\w]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)}`,
  x: (data) => data,
};
