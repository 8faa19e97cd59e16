/**
 * A reference model of files in Knuth's format: it splits lines into words and tries every set of options. It shares no
 * code with the readers and the core.
 */

/** The content of a file: an error, or the texts of its solutions' options. */
export type FileModel =
  | { readonly kind: 'empty' }
  | { readonly kind: 'error' }
  | { readonly kind: 'problem'; readonly solutions: () => string[] };

interface ModelOption {
  readonly text: string;
  /** Item names, each with its colour; empty for none. */
  readonly items: ReadonlyMap<string, string>;
}

/** Reads text with one character for each byte. */
export function modelOf(text: string): FileModel {
  const lines = text
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.split(/[ \t\v\f]+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0 && !words[0].startsWith('|'));
  if (lines.length === 0) return { kind: 'empty' };
  const names = itemNames(lines[0]);
  if (names === undefined) return { kind: 'error' };
  const options = lines.slice(1).map((words) => optionOf(words, names.primary, names.secondary));
  if (options.some((option) => option === undefined)) return { kind: 'error' };
  const primary = [...names.primary];
  const usable = (options as ModelOption[]).filter(({ items }) => primary.some((name) => items.has(name)));
  return { kind: 'problem', solutions: () => solutionsOf(primary, usable) };
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}

function itemNames(words: readonly string[]): { primary: Set<string>; secondary: Set<string> } | undefined {
  const primary = new Set<string>();
  const secondary = new Set<string>();
  let bars = 0;
  for (const word of words) {
    // A bar may directly precede a name.
    const name = word.startsWith('|') ? word.slice(1) : word;
    if (name !== word) bars++;
    if (name === '' && name !== word) continue;
    if (bars > 1 || /[:|]/.test(name) || hasControl(name)) return undefined;
    if (primary.has(name) || secondary.has(name)) return undefined;
    (bars === 0 ? primary : secondary).add(name);
  }
  return bars > 1 ? undefined : { primary, secondary };
}

function optionOf(
  words: readonly string[],
  primary: ReadonlySet<string>,
  secondary: ReadonlySet<string>,
): ModelOption | undefined {
  const items = new Map<string, string>();
  for (const word of words) {
    const colon = word.indexOf(':');
    const name = colon < 0 ? word : word.slice(0, colon);
    const colour = colon < 0 ? undefined : word.slice(colon + 1);
    if (items.has(name) || !(primary.has(name) || secondary.has(name))) return undefined;
    if (colour !== undefined) {
      if (!secondary.has(name) || colour === '' || hasControl(colour)) return undefined;
      if (colour.length > 1 && /[:|]/.test(colour)) return undefined;
    }
    items.set(name, colour ?? '');
  }
  return { text: words.join(' '), items };
}

/** All solutions, sorted; each is the texts of its options in the order of the file, joined by `/`. */
function solutionsOf(primary: readonly string[], options: readonly ModelOption[]): string[] {
  const solutions: string[] = [];
  const extend = (chosen: readonly ModelOption[], from: number): void => {
    if (primary.every((name) => chosen.some(({ items }) => items.has(name)))) {
      solutions.push(chosen.map(({ text }) => text).join('/'));
    }
    for (let k = from; k < options.length; k++) {
      const option = options[k];
      if (chosen.every((other) => agree(other, option, primary))) extend([...chosen, option], k + 1);
    }
  };
  extend([], 0);
  return solutions.sort();
}

/** Whether two options may both be chosen. */
function agree(a: ModelOption, b: ModelOption, primary: readonly string[]): boolean {
  return [...a.items].every(([name, colour]) => {
    const other = b.items.get(name);
    return other === undefined || (!primary.includes(name) && colour !== '' && colour === other);
  });
}
