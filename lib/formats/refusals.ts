/**
 * What is said of a file that no reader takes: its kind, if that is known, or else the layouts that come nearest.
 *
 * A new kind is a row of `KINDS`, a new layout one of `LAYOUTS`. Nobody asks before every reader has refused the file. Kinds
 * that may hold a grid, which would be solved without its rule: `rules-around.ts`.
 */
import { visibleText } from './bytes/visible-text.ts';
import type { Line } from './numbers-around.ts';

export interface Kind {
  /** What the file is. */
  readonly name: string;
  /** Matches the first bytes, after white space. */
  readonly start?: RegExp;
  /** Matches two lines, or the only one; it may look at the line after it. */
  readonly line?: { test(text: string, next?: string): boolean };
  /** One line is enough. */
  readonly isSure?: true;
  /** What to do. */
  readonly remedy?: string;
  /** What was expected instead, if the file may hold a grid. */
  readonly expected?: string;
}

/** Bytes in which kinds and layouts are looked for. */
export const SAMPLE_BYTES = 4096;
const SAVE_AS_TEXT = 'save its puzzles as text, or its tables as CSV';
const ESCAPE = '\x1b';
const AS_ROWS = 'write each puzzle as rows, or on a line';

export const DICT: Kind = {
  name: 'a Python dict or JSON5',
  start: /^[\s[(]*\{\s*(?:'[^'\n]*'\s*:|[a-z_$][\w$]*\s*:\s*['"[{])/i,
  remedy: 'write it as JSON, for example with json.dumps of Python',
  expected: 'JSON, with its names and texts in double quotes',
};

const LISTS_OF_CELLS: readonly Kind[] = [
  {
    name: 'a list of cells by their names',
    line: /^(?:\(?(?:r\d+c\d+|[a-p]\d{1,2})(?:\s*(?:[=:,]|->)\s*|\s+)\d{1,2}\)?[\s,;|]*)+$/i,
    remedy: AS_ROWS,
  },
  {
    name: 'a list of rows, columns and values',
    start: /^\W*(?:row|r|y|i)\W+(?:column|col|c|x|j)\W+(?:values?|val|v|digit|number)\W*[\r\n]/i,
    line: /^(?:[[(]\d{1,2}(?:[,;:\s]+\d{1,2}){2}[\])][\s,;|]*){2}|^(?:\d{1,2}(?:[,:\s]+\d{1,2}){2}\s*[|;]\s*){2}|^[[({]\d{1,2}[,;:\s]+\d{1,2}[\])}]\W*\d{1,2}[,;]?$|^\d{1,2}, ?\d{1,2}\s+\d{1,2}$/,
    remedy: AS_ROWS,
  },
  {
    name: 'a list of cells by coordinates with names',
    line: /^\W*(?:(?:[xyrcij]|row|col|column)\s*[=:]\s*\d+\W+){2}\w+\s*[=:]\s*\d+\W*$/i,
    remedy: AS_ROWS,
  },
  {
    name: 'pencil marks in a layout that is not read',
    line: /^[^a-z\x22\x27]*(?:[{[(][1-9]{2,9}[}\])].*){2}|^(?=[^a-z\x22\x27]*[{[(][1-9](?:,?\s?[1-9]){1,8}[}\])])(?=(?:.*(?<![^\s|])[1-9](?![^\s|])){2})/,
    remedy: 'write 729 characters for each puzzle, or its givens alone',
  },
];

const KINDS: readonly Kind[] = [
  DICT,
  {
    name: 'HTML',
    start:
      /^(?:<!--[^>]*>\s*)*<(?:!doctype\s+html|html|head|body|table|tbody|div|tr|td|p|span|ul|ol|h[1-6])\b/i,
  },
  { name: 'an SVG drawing', start: /^(?:<\?xml[^>]*>\s*)?<svg\b/i },
  {
    name: 'XML with an element for each cell',
    start: /^<[\s\S]*<(?:c|cell|field|number|square|td|value)\b[^>]*>/i,
    remedy: 'write each puzzle as a line of digits and dots',
  },
  { name: 'XML', start: /^<(?:\?xml\b|!doctype\b|[a-z][^<>]*>\s*<)/i },
  { name: 'a table of a wiki', start: /^\{\|/ },
  { name: 'Lisp', start: /^(?:;[^\n]*\n\s*)*\((?:def|set)/ },
  { name: 'LaTeX', start: /^(?:%[^\n]*\n\s*)*\\(?:documentclass|begin|usepackage)\b/ },
  {
    name: 'a pointer of Git LFS, not the file itself',
    start: /^version https:\/\/git-lfs\.github\.com\//,
    remedy: 'fetch the file with "git lfs pull"',
  },
  {
    name: 'a model of AMPL or MiniZinc, or its data',
    start: /^(?:(?:#[^\n]*\n|data;)\s*)*(?:param|set|var)\s+\w+[^\n;]*(?::=|;)/,
  },
  { name: 'a CNF formula of a SAT solver', start: /^(?:c\b[^\n]*\n)*p cnf \d/ },
  { name: 'facts of a logic program', line: /^[a-z]\w*\(\w+(?:,\s*\w+)*\)\./ },
  {
    name: 'text with the colours of a terminal (ANSI escapes)',
    start: new RegExp(`${ESCAPE}\\[[\\d;]*[A-Za-z]`),
    remedy: 'remove them, for example with sed "s/\\x1b\\[[0-9;]*m//g"',
  },
  ...LISTS_OF_CELLS,
  {
    name: 'a killer sudoku, with signs that point to the cell of the sum',
    line: /^[\d\s.,_*^v<>]*\d\s*[<>][\d\s.,_*^v<>]*$/i,
    isSure: true,
    remedy: 'its rule is none that is known here',
  },
];

/** The kind of a file that no reader takes, and what to do; empty if it is none that is known. */
export function kindAdvice(head: Uint8Array): string {
  const kind = kindOf(head, KINDS);
  return kind === undefined ? '' : `the file is ${kind.name}: ${kind.remedy ?? SAVE_AS_TEXT}; `;
}

/** Whether a file without a puzzle, though perhaps with a heading, is of a kind that is known. */
export function isKnownKind(head: Uint8Array): boolean {
  return kindOf(head, KINDS) !== undefined;
}

/**
 * Whether a file is XML, or lists nothing but cells by their places, or pencil marks: these are no items of an exact cover. The last
 * line may be cut.
 */
export function hasNoItems(head: Uint8Array): boolean {
  if (textOf(head).trimStart().startsWith('<')) return true;
  const least = Math.max(1, linesOf(head).length - 1);
  return LISTS_OF_CELLS.some((kind) => (kindOf(head, [kind])?.lines.length ?? 0) >= least);
}

/** The first kind of some that a file is of, and the lines that show it. */
export function kindOf(
  head: Uint8Array,
  kinds: readonly Kind[],
): (Kind & { lines: readonly Line[] }) | undefined {
  const start = textOf(head).trimStart();
  const lines = linesOf(head);
  for (const kind of kinds) {
    const found = lines.filter(({ text }, at) => kind.line?.test(text, lines[at + 1]?.text));
    const enough = kind.isSure ? 1 : Math.min(2, Math.max(1, lines.length));
    if (kind.start?.test(start) || found.length >= enough) return { ...kind, lines: found };
  }
  return undefined;
}

export function textOf(head: Uint8Array): string {
  return new TextDecoder().decode(head.subarray(0, SAMPLE_BYTES));
}

/** The first lines that are neither blank nor comments. */
export function linesOf(head: Uint8Array): Line[] {
  const lines = textOf(head).split(/\r\n|\r|\n/);
  const all = lines.map((line, at) => ({ text: line.trim(), number: at + 1 }));
  return all.filter(({ text }) => text !== '' && !/^(?:[#;%]|\/\/)/.test(text));
}

/** How far lines are from a layout: 0 if nothing is in the way, 1 if they have nothing of it. */
interface Distance {
  readonly far: number;
  /** What keeps the lines from being of that layout. */
  readonly why: string;
}

interface LayoutExample {
  readonly name: string;
  readonly example: string;
  readonly distance: (lines: readonly string[]) => Distance;
}

const LAYOUTS: readonly LayoutExample[] = [
  {
    name: 'a puzzle on a line',
    example: '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79',
    distance: (lines) => strays(lines, /[^\d._*-]/, (line) => [line.length, 81, 'characters']),
  },
  {
    name: 'rows of a grid',
    example: '53..7....',
    distance: (lines) => strays(lines, /[^\d._*|-]/, (line) => [line.length, 9, 'characters']),
  },
  {
    name: 'numbers with spaces or commas between them',
    example: '5 3 0 0 7 0 0 0 0',
    distance: (lines) => strays(lines, /[^\d\s.,;_*-]/, (line) => [wordsOf(line).length, 9, 'numbers']),
  },
  {
    name: 'a table with a header',
    example: 'id,puzzle,solution',
    distance: (lines) => ({
      far: lines.every((line) => /[,;\t]./.test(line)) ? 0.5 : 1,
      why: 'no column has a puzzle',
    }),
  },
  {
    name: 'JSON',
    example: '{"puzzle":"53..7....6..195..."}',
    distance: ([first]) => ({ far: /^[[{]/.test(first) ? 0.3 : 1, why: 'no member has a puzzle' }),
  },
  {
    name: 'an exact cover as a matrix',
    example: '6 7" above "0 0 1 0 1 1 0',
    distance([first, ...rows]) {
      const all = /^\d+(?: \d+){1,2}$/.test(first) ? rows : [first, ...rows];
      const otherwise = 'its rows are not as many, or not as long, as two numbers above them say';
      return words(all, /^[01]+$/, 'which is neither 0 nor 1', otherwise);
    },
  },
  {
    name: 'an exact cover as lists of items',
    example: '7" above "2 4 5',
    distance: (lines) =>
      words(
        lines,
        /^\d{1,7}$/,
        'which is no number of an item',
        'it is read only with --format sparse, and a matrix has "rows columns" above it',
      ),
  },
  {
    name: "an exact cover in Knuth's format",
    example: 'A B C | X Y" above "A B X:0',
    distance([items, ...options]) {
      const known = new Set(wordsOf(items));
      const isItem = { test: (word: string) => known.size > 1 && known.has(word.replace(/:.*/, '')) };
      return words(options, isItem, 'which is no item of the first line', 'no option is like these');
    },
  },
];

/** Layouts that are named. */
const MOST_LAYOUTS = 3;
/** Characters of a quote. */
const SHOWN = 20;

/** The layouts that come nearest to a file of no known kind, and what is in the way of each; empty for other files. */
export function nearestLayouts(head: Uint8Array): string {
  const lines = linesOf(head).map(({ text }) => text);
  if (lines.length === 0 || isKnownKind(head)) return '';
  const found = LAYOUTS.map((layout) => ({ ...layout, ...layout.distance(lines) }));
  const nearest = found.sort((a, b) => a.far - b.far).slice(0, MOST_LAYOUTS);
  return `; the nearest layouts: ${nearest.map(({ name, example, why }) => `${name} ("${example}"), but ${why}`).join('; ')}`;
}

/** The distance of lines of another length, or with other characters. */
function strays(
  lines: readonly string[],
  stray: RegExp,
  measure: (line: string) => readonly [length: number, expected: number, unit: string],
): Distance {
  let far = 0;
  let why: string | undefined;
  for (const line of lines) {
    const others = [...line].filter((character) => stray.test(character));
    const [length, expected, unit] = measure(line);
    far += others.length / line.length + Math.min(1, Math.abs(length - expected) / expected);
    if (others.length > 0) why ??= `"${visibleText(line.slice(0, SHOWN))}" has "${visibleText(others[0])}"`;
    else if (length !== expected)
      why ??= `"${visibleText(line.slice(0, SHOWN))}" has ${length} ${length === 1 ? unit.slice(0, -1) : unit}, not ${expected}`;
  }
  return { far: far / lines.length / 2, why: why ?? `there are ${lines.length} such lines` };
}

/** The distance of lines of other words; `otherwise` is in the way if they have none. */
function words(
  lines: readonly string[],
  expected: Pick<RegExp, 'test'>,
  what: string,
  otherwise: string,
): Distance {
  const all = lines.flatMap(wordsOf);
  const others = all.filter((word) => !expected.test(word));
  if (others.length === 0) return { far: all.length === 0 ? 1 : 0.2, why: otherwise };
  return {
    far: others.length / all.length,
    why: `it has "${visibleText(others[0].slice(0, SHOWN))}", ${what}`,
  };
}

function wordsOf(line: string): string[] {
  return line.split(/[\s,;|]+/).filter((word) => word !== '');
}
