/**
 * Links to puzzles, and the data of puzzle editors:
 *
 *     https://www.sudokuwiki.org/sudoku.htm?bd=53..7....6..195...      the grid in a parameter
 *     https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOA...             f-puzzles: JSON in LZ-string's Base64
 *     https://sudokupad.app/fpuzzlesN4IgzglgXg...  sclN4Igzg...        SudokuPad: the same, or its own JSON
 *     https://sigh.github.io/Interactive-Sudoku-Solver/?q=.~R1C1_5...  Interactive Sudoku Solver
 *
 * A link that only names a puzzle on a server is refused: nothing is fetched.
 */
import { parseVariantName } from '../../sudoku/geometry/variants.ts';
import { isObject } from '../objects/members.ts';
import { repeatFault } from '../objects/puzzle-object.ts';
import { makeFault } from '../records/fault.ts';
import { ruleNamed } from '../rules/rule-names.ts';
import { readIss } from './iss-puzzle.ts';
import { type LinkResult, refused } from './link-result.ts';
import { decodeLz } from './lz-data.ts';
import { parseScl } from './scl-data.ts';

const LINK = /^<?(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?((?:\/[^?#]*)?)(?:\?([^#]*))?(?:#(.*))?$/i;
const DATA = /^(fpuzzles|fpuz|scl|ctc)(.{24,})$/s;
/** Data of an editor whose notation is not known here. */
const OTHER_DATA = /^(scf|penpa)(.{24,})$/s;
/** Parameters with a grid, by precedence. */
const GRID_PARAMETERS = [
  'bd',
  'puzzle',
  'grid',
  'board',
  'sudoku',
  'givens',
  's',
  'p',
  'q',
  'input',
  'clues',
  'data',
];
/** At least a 4x4. */
const MIN_GRID_LENGTH = 16;

/**
 * Reads a link or data.
 *
 * @param text without white space
 * @returns undefined if it is neither
 */
export function readLink(text: string): LinkResult | undefined {
  if (isIss(text)) return readIss(text);
  const data = DATA.exec(text);
  if (data !== null) return readData(data[1], decodedPart(data[2]));
  const [, host, path, query, hash] = LINK.exec(text.replace(/>$/, '')) ?? [];
  if (host === undefined) return undefined;
  const { parameters, repeated } = parametersOf(query ?? (hash?.includes('=') ? hash : undefined));
  if (path === '' && parameters.size === 0) return undefined;
  const read = readAddress(host.toLowerCase(), path, parameters);
  if (read === undefined || repeated === undefined) return read;
  const found = `the parameter ${JSON.stringify(repeated)} twice`;
  return makeFault('bad_character', 0, found, 'each parameter of a link once');
}

function isIss(text: string): boolean {
  return /^\.(~|[A-Z][A-Za-z]+[~.])/.test(text) && text.includes('~');
}

function readAddress(
  host: string,
  path: string,
  parameters: ReadonlyMap<string, string>,
): LinkResult | undefined {
  if (
    /penpa/.test(host) ||
    /^\/penpa/i.test(path) ||
    (/edit|solve/.test(parameters.get('m') ?? '') && parameters.has('p'))
  ) {
    return refused('a Penpa link');
  }
  if (/puzz\.link|pzv\.|pzpr/.test(host)) return refused('a puzz.link link');
  const embedded = embeddedData(path, parameters);
  if (embedded !== undefined) return embedded;
  const iss = parameters.get('q');
  if (iss !== undefined && isIss(iss)) return readIss(iss);
  const key = GRID_PARAMETERS.find((name) => (parameters.get(name)?.length ?? 0) >= MIN_GRID_LENGTH);
  if (key !== undefined) return gridParameter(path, key, parameters);
  if (
    /sudokupad|crackingthecryptic|f-puzzles/.test(host) ||
    parameters.has('load') ||
    parameters.has('puzzleid')
  ) {
    const site = host.includes('f-puzzles') ? 'an f-puzzles link' : 'a SudokuPad link';
    return refused(`${site} to a puzzle on its server`, 'a link with the whole puzzle: nothing is fetched');
  }
  return undefined;
}

/** The puzzle in the path or a parameter of an editor's link. */
function embeddedData(path: string, parameters: ReadonlyMap<string, string>): LinkResult | undefined {
  const load = parameters.get('load');
  if (load !== undefined && !DATA.test(load) && load.length >= MIN_GRID_LENGTH)
    return readData('fpuzzles', load);
  const parts = [
    load,
    parameters.get('puzzleid'),
    parameters.get('puzzle'),
    decodedPart(path).replace(/^\/(sudoku\/)?/, ''),
  ];
  for (const part of parts) {
    const data = part === undefined ? null : DATA.exec(part);
    if (data !== null) return readData(data[1], data[2]);
    if (part !== undefined && OTHER_DATA.test(part)) return refused(`data of the kind ${part.slice(0, 3)}`);
  }
  return undefined;
}

function gridParameter(path: string, key: string, parameters: ReadonlyMap<string, string>): LinkResult {
  const page = (path.split('/').findLast((part) => part !== '') ?? '').replace(/\.\w+$/, '');
  const rule = ruleNamed(page);
  if (rule !== undefined) return refused(`${rule} (${page})`);
  const variant = parseVariantName(page.replace(/-?sudoku-?/i, '') || 'standard');
  const { [key]: puzzle, ...others } = Object.fromEntries(parameters);
  const named = variant === undefined || variant === 'standard' ? {} : { variant };
  return { object: { ...others, ...named, puzzle } };
}

function parametersOf(query: string | undefined): {
  readonly parameters: ReadonlyMap<string, string>;
  /** The first name with two values. */
  readonly repeated: string | undefined;
} {
  const parameters = new Map<string, string>();
  let repeated: string | undefined;
  for (const part of query?.split('&') ?? []) {
    const [name, ...values] = part.split('=');
    if (name === '') continue;
    const key = name.toLowerCase();
    const value = decodedPart(values.join('='));
    if (parameters.has(key) && parameters.get(key) !== value) repeated ??= name;
    parameters.set(key, value);
  }
  return { parameters, repeated };
}

/** A part of a link without its escapes; unchanged if they are damaged. */
function decodedPart(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that is no escape.
    return text;
  }
}

/** Decodes the data of f-puzzles or SudokuPad. */
function readData(kind: string, data: string): LinkResult {
  const name = kind.startsWith('fpuz') ? 'f-puzzles data' : 'SudokuPad data';
  // A plus sign may have become a space.
  const text = data.trimStart().startsWith('{') ? data : decodeLz(data.replaceAll(' ', '+'));
  if (text === 'too_large') return refused(`${name} of more than 1 MiB`);
  const parsed = text === undefined ? undefined : parseScl(text);
  if (parsed === undefined || !isObject(parsed.value))
    return refused(`${name} that cannot be decoded`, 'a whole link');
  const [repeated] = parsed.repeated;
  if (repeated !== undefined) {
    const fault = repeatFault(repeated.key);
    return { ...fault, found: `${name} with ${fault.found}` };
  }
  return { object: parsed.value };
}
