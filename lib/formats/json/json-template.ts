/** The fast path for JSON: records that are written like the last one are read without parsing. */
import {
  BACKSLASH,
  CLOSE_BRACKET,
  COMMA,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO,
} from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import { type Member, wordEnd } from '../bytes/json-scan.ts';
import { ID_KEYS, isGridKey, isLabel, PUZZLE_KEYS, SOLUTION_KEYS } from '../objects/members.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { type RecordParts, Template } from '../records/template.ts';
import { mayState, statedBy } from '../rules/labels.ts';
import type { JsonWindow } from './json-window.ts';

interface JsonParts extends RecordParts {
  /** For each text that may differ what the writer copies before it: a comma, the key, a colon. */
  readonly labels: readonly string[];
  /** The text with the record's name; negative if it has none. */
  readonly id: number;
  /** The texts that may name a rule, and their keys. */
  readonly stating: ReadonlyArray<readonly [text: number, key: string]>;
}

export type JsonFastPath = ReturnType<typeof jsonFastPath>;

export function jsonFastPath(sink: RecordSink, window: JsonWindow) {
  let template: Template | undefined;
  let parts: JsonParts = { cells: [], labels: [], id: -1, stating: [] };

  function clear(): void {
    template = undefined;
  }

  /**
   * Enters the record at `at` if it matches the last one.
   *
   * @returns the offset after it; -1 if it does not match
   */
  function take(at: number): number {
    const { bytes } = window;
    const same = template;
    if (same === undefined) return -1;
    signs = 0;
    const end = same.match(bytes, at, window.length, scalarEnd);
    if (end < 0 || !same.fits(sink)) return -1;
    const { id, labels, solution } = parts;
    if (states(same, parts, bytes)) return -1;
    let name: string | undefined;
    if (id >= 0) {
      const from = same.texts[id];
      const to = same.starts[id + 1];
      if (bytes[from] === QUOTE) name = textIn(bytes, from + 1, to - 1);
      else if (isInteger(bytes, from, to)) name = textIn(bytes, from, to);
      else return -1;
    }
    const own = labels.length === 0 ? undefined : { toString: () => labelsIn(same, labels, bytes, at) };
    const isPlain = own === undefined && solution === undefined;
    // All at once, which is faster than one after the other.
    const notes: RecordNotes | undefined = isPlain
      ? undefined
      : { id: name, expected: undefined, labels: own };
    if (!same.fill(sink, bytes, notes)) return -1;
    if (own !== undefined) window.keepBytes();
    window.moveTo(at);
    const { line } = window.position;
    if (same.isPlain && signs < 128) window.skipTo(end);
    else window.moveTo(end);
    sink.enterFilled(line, window.position.line, notes);
    return end;
  }

  /**
   * Makes the record in the bytes `from` to `to` (exclusive), which was just entered, the template.
   *
   * @param members if it is an object
   */
  function keep(from: number, to: number, members: readonly Member[]): void {
    const { bytes } = window;
    if (template?.fits(sink) && template.match(bytes, from, to, scalarEnd) === to) return;
    const cells = bytes[from] === OPEN_BRACE ? undefined : cellsIn(bytes, from, to);
    const own =
      cells === undefined ? partsOfObject(bytes, members) : { cells, labels: [], id: -1, stating: [] };
    template = own && Template.of(sink, bytes, from, to, own);
    if (template === undefined || own === undefined) return;
    parts = own;
    // Records like it have its variant, unless a label states it.
    if (template.match(bytes, from, to, scalarEnd) !== to || states(template, own, bytes))
      template = undefined;
  }

  return { clear, take, keep };
}

/** Whether a text of the record that matched states a rule or a variant. */
function states({ texts, starts }: Template, { stating }: JsonParts, bytes: Uint8Array): boolean {
  return stating.some(
    ([text, key]) => statedBy(key, textIn(bytes, texts[text] + 1, starts[text + 1] - 1)) !== undefined,
  );
}

/** Offsets of the cells of a grid without numbers of several digits, escapes or names; undefined for other values. */
function cellsIn(bytes: Uint8Array, from: number, to: number): number[] | undefined {
  const offsets: number[] = [];
  let inString = false;
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH || byte > 126) return undefined;
    else if (inString) offsets.push(at);
    else if (byte > SPACE && byte !== OPEN_BRACKET && byte !== CLOSE_BRACKET && byte !== COMMA) {
      if (byte < ZERO || byte > NINE || offsets.at(-1) === at - 1) return undefined;
      offsets.push(at);
    }
  }
  return offsets;
}

/**
 * The parts of an object with a puzzle, its solution, and labels that are texts without escapes, numbers or words.
 * Everything else is read with care: other grids, rules, and members that are not known.
 */
function partsOfObject(bytes: Uint8Array, members: readonly Member[]): JsonParts | undefined {
  const first = (wanted: readonly string[]) =>
    wanted.flatMap((name) => members.find(({ key }) => key === name) ?? [])[0];
  const [puzzle, solution, id] = [PUZZLE_KEYS, SOLUTION_KEYS, ID_KEYS].map(first);
  const cells = puzzle && cellsIn(bytes, puzzle.from, puzzle.to);
  const isScalar = ({ from, to }: Member) => scalarEnd(bytes, from, to) === to;
  const texts = members.filter((member) => member !== puzzle && member !== solution);
  if (!cells || !texts.every((text) => isScalar(text) && !isGridKey(text.key) && isLabel(text.key, '')))
    return undefined;
  const labels = texts.map(({ key }) => `,${JSON.stringify(key)}:`);
  const stating = texts.flatMap(({ key }, text) => (mayState(key) ? [[text, key] as const] : []));
  const own = { cells, texts, labels, id: id === undefined ? -1 : texts.indexOf(id), stating };
  if (solution === undefined) return own;
  const { from, to } = solution;
  const isSolved = bytes[from] === QUOTE && isScalar(solution) && to - from - 2 === cells.length;
  return isSolved ? { ...own, solution: from + 1 } : undefined;
}

/** The labels of the object at `at`, which the template matches: most jobs do not write them. */
function labelsIn(template: Template, labels: readonly string[], bytes: Uint8Array, at: number): string {
  template.match(bytes, at, bytes.length, scalarEnd);
  const texts = labels.map((label, k) => {
    const text = textIn(bytes, template.texts[k], template.starts[k + 1]);
    // As if the object were parsed: a number may be written in another way.
    return label + (text.startsWith('"') ? text : JSON.stringify(JSON.parse(text)));
  });
  return texts.join('');
}

/** The bytes of all texts since it was set, as one number: below 128, each is a character. */
let signs = 0;

/** Offset after a text without escapes, a number without an exponent, or a word; negative if there is none. */
function scalarEnd(bytes: Uint8Array, from: number, to: number): number {
  if (bytes[from] === QUOTE) return plainEnd(bytes, from, to);
  const end = wordEnd(bytes, from, to);
  return isInteger(bytes, from, end) || SCALAR.test(textIn(bytes, from, end)) ? end : -1;
}

/** Its digits are all in a double. */
const SCALAR = /^(-?(0|[1-9]\d{0,14})(\.\d+)?|true|false|null)$/;

function plainEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte < SPACE || byte === BACKSLASH) return -1;
    signs |= byte;
  }
  return -1;
}

/** Integers of that length are exact as doubles. */
const MAX_DIGITS = 15;

/** Whether a number is an integer that is written as JavaScript writes it. */
function isInteger(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > MAX_DIGITS || (bytes[from] === ZERO && to - from > 1)) return false;
  let at = from;
  while (at < to && bytes[at] >= ZERO && bytes[at] <= NINE) at++;
  return at === to && at > from;
}
