/** Changes of an input: of its bytes, lines, numbers and brackets, with tokens of the target and parts of other inputs. */
import type { RandomSource } from '../../lib/sudoku/generator/random-source.ts';

/** Bytes at the limits of what parsers distinguish. */
const BYTES = [
  0, 9, 10, 13, 32, 34, 35, 39, 44, 46, 48, 57, 58, 59, 63, 91, 92, 93, 123, 125, 127, 128, 192, 255,
];
/** Texts on which parsers of any format fail. */
const TEXTS = [
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '\t',
  '""',
  '"',
  "'",
  '\\',
  '[]',
  '{}',
  '[[',
  ']]',
  '<',
  '>',
  '/>',
  '&',
  ';',
  '#',
  '%',
  '%ff',
  '0',
  '1',
  '-1',
  '00',
  '4294967296',
  '9007199254740993',
  '1e999',
  'null',
  'true',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  '\ufeff',
  'é',
  '１',
  '·',
  '\u00a0',
  '\u200b',
  '🧩',
  '\u202e',
  '\u2028',
  // No UTF-8: beyond Unicode, a surrogate, two bytes for a slash, a cut character.
  Buffer.from('f4908080', 'hex'),
  Buffer.from('eda080', 'hex'),
  Buffer.from('c0af', 'hex'),
  Buffer.from('e282', 'hex'),
].map((text) => Buffer.from(text)); // prettier-ignore

type Mutation = (input: Buffer, context: MutationContext) => Buffer;

export interface MutationContext {
  readonly random: RandomSource;
  readonly tokens: readonly Buffer[];
  /** Another input. */
  readonly other: Buffer;
}

const replaced = (input: Buffer, from: number, to: number, middle: Uint8Array) =>
  Buffer.concat([input.subarray(0, from), middle, input.subarray(to)]);

/** A length that is mostly short. */
function shortLength(random: RandomSource, most: number): number {
  return Math.min(most, 1 + random.below(1 << random.below(1 + Math.ceil(Math.log2(most + 1)))));
}

function rangeIn(input: Buffer, random: RandomSource): [from: number, to: number] {
  const from = random.below(input.length);
  return [from, from + shortLength(random, input.length - from)];
}

const pick = <Item>(items: readonly Item[], random: RandomSource): Item => items[random.below(items.length)]!;

/** The ranges of all matches. */
function matches(input: Buffer, pattern: RegExp): [from: number, to: number][] {
  return Array.from(input.toString('latin1').matchAll(pattern), ({ index, 0: text }) => [
    index,
    index + text.length,
  ]);
}

function changeMatch(pattern: RegExp, change: (text: string, random: RandomSource) => string): Mutation {
  return (input, { random }) => {
    const found = matches(input, pattern);
    if (found.length === 0) return input;
    const [from, to] = pick(found, random);
    const text = change(input.subarray(from, to).toString('latin1'), random);
    return replaced(input, from, to, Buffer.from(text, 'latin1'));
  };
}

const NUMBERS: readonly ((number: number) => number | string)[] = [
  (number) => number + 1,
  (number) => number - 1,
  (number) => -number,
  (number) => number * 2,
  (number) => `0${number}`,
  () => 2 ** 31,
  () => 2 ** 53,
  () => '9'.repeat(25),
];

const MUTATIONS: readonly Mutation[] = [
  (input, { random }) => {
    const at = random.below(input.length);
    return replaced(input, at, at + 1, Uint8Array.of(input[at]! ^ (1 << random.below(8))));
  },
  (input, { random }) => {
    const at = random.below(input.length);
    return replaced(input, at, at + random.below(2), Uint8Array.of(pick(BYTES, random)));
  },
  (input, { random }) => {
    const [from, to] = rangeIn(input, random);
    return replaced(input, from, to, new Uint8Array(0));
  },
  (input, { random }) => {
    const [from, to] = rangeIn(input, random);
    const part = input.subarray(from, to);
    return replaced(input, to, to, Buffer.concat(Array(shortLength(random, 8)).fill(part)));
  },
  (input, { random }) => {
    const [from, to] = rangeIn(input, random);
    const at = random.below(input.length);
    return replaced(input, at, at, input.subarray(from, to));
  },
  (input, { random }) => {
    const at = random.below(input.length + 1);
    return replaced(input, at, at, pick(TEXTS, random));
  },
  (input, { random, tokens }) => {
    const at = random.below(input.length + 1);
    const token = pick(tokens.length === 0 ? TEXTS : tokens, random);
    return replaced(input, at, Math.min(input.length, at + random.below(2) * token.length), token);
  },
  (input, { random, other }) => {
    if (other.length === 0) return input;
    const [from, to] = rangeIn(other, random);
    const at = random.below(input.length + 1);
    return replaced(input, at, at, other.subarray(from, to));
  },
  (input, { random, other }) =>
    Buffer.concat([
      input.subarray(0, random.below(input.length + 1)),
      other.subarray(random.below(other.length + 1)),
    ]),
  (input, { random }) => {
    const lines = input.toString('latin1').split('\n');
    const at = random.below(lines.length);
    const to = random.below(lines.length);
    const kind = random.below(4);
    if (kind === 0) lines.splice(at, 1);
    else if (kind === 1) lines.splice(to, 0, lines[at]!);
    else if (kind === 2) [lines[at], lines[to]] = [lines[to]!, lines[at]!];
    else lines.splice(at, 2, lines.slice(at, at + 2).join(''));
    return Buffer.from(lines.join('\n'), 'latin1');
  },
  changeMatch(/\d{1,6}/g, (text, random) => String(pick(NUMBERS, random)(Number(text)))),
  changeMatch(
    /"[^"\n]{0,300}"|\[[^[\]]{0,500}\]|\{[^{}]{0,500}\}|<[^<>]{0,300}>/g,
    (text, random) =>
      [
        '',
        text + text,
        text.slice(0, -1),
        text.slice(1),
        `[${text}]`,
        `{"a":${text}}`,
        `${text},${text}`,
        'null',
      ][random.below(8)]!,
  ),
  changeMatch(
    /[A-Za-z][\w-]*/g,
    (text, random) =>
      [text.toUpperCase(), text.slice(1), text + text, '__proto__', 'constructor', ''][random.below(6)]!,
  ),
  (input, { random }) => {
    const at = random.below(input.length);
    return replaced(input, at, at, Buffer.alloc(1 << random.below(11), input[at]));
  },
];

/** A changed input of at most `maxBytes`. */
export function mutate(input: Buffer, context: MutationContext, maxBytes: number): Buffer {
  const { random } = context;
  let changed = input;
  for (let left = shortLength(random, 6); left > 0; left--) {
    changed = changed.length === 0 ? pick(TEXTS, random) : pick(MUTATIONS, random)(changed, context);
  }
  return changed.subarray(0, maxBytes);
}
