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

/** Item names, those of primary items with the least and the greatest number of options that contain them. */
interface ModelItems {
  readonly primary: ReadonlyMap<string, readonly [least: number, most: number]>;
  readonly secondary: ReadonlySet<string>;
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
  const options = lines.slice(1).map((words) => optionOf(words, names));
  if (options.some((option) => option === undefined)) return { kind: 'error' };
  const { primary } = names;
  const usable = (options as ModelOption[]).filter(({ items }) =>
    [...items.keys()].some((name) => primary.has(name)),
  );
  return { kind: 'problem', solutions: () => solutionsOf(primary, usable) };
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f');
}

function itemNames(words: readonly string[]): ModelItems | undefined {
  const primary = new Map<string, readonly [number, number]>();
  const secondary = new Set<string>();
  let bars = 0;
  for (const word of words) {
    // A bar may directly precede a name.
    const full = word.startsWith('|') ? word.slice(1) : word;
    if (full !== word) bars++;
    if (full === '' && full !== word) continue;
    const [prefix, low, high] = /^(?:(\d+):)?(\d+)\|/.exec(full) ?? [''];
    const least = Number(low ?? high ?? 1);
    const most = Number(high ?? 1);
    const name = full.slice(prefix.length);
    if (prefix !== '' && (bars > 0 || most === 0 || least > most || name === '')) return undefined;
    if (bars > 1 || /[:|]/.test(name) || hasControl(name)) return undefined;
    if (primary.has(name) || secondary.has(name)) return undefined;
    if (bars === 0) primary.set(name, [least, most]);
    else secondary.add(name);
  }
  return bars > 1 ? undefined : { primary, secondary };
}

function optionOf(words: readonly string[], { primary, secondary }: ModelItems): ModelOption | undefined {
  const items = new Map<string, string>();
  for (const word of words) {
    // A cost.
    if (/^\|\d+$/.test(word)) continue;
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
function solutionsOf(primary: ModelItems['primary'], options: readonly ModelOption[]): string[] {
  const solutions: string[] = [];
  const times = (chosen: readonly ModelOption[], name: string) =>
    chosen.filter(({ items }) => items.has(name)).length;
  const extend = (chosen: readonly ModelOption[], from: number): void => {
    if ([...primary].every(([name, [least]]) => times(chosen, name) >= least)) {
      solutions.push(chosen.map(({ text }) => text).join('/'));
    }
    for (let k = from; k < options.length; k++) {
      const more = [...chosen, options[k]];
      const fits = [...options[k].items.keys()].every(
        (name) => times(more, name) <= (primary.get(name)?.[1] ?? Infinity),
      );
      if (fits && chosen.every((other) => agree(other, options[k], primary))) extend(more, k + 1);
    }
  };
  extend([], 0);
  return solutions.sort();
}

/** Whether two options agree on the colours of their secondary items. */
function agree(a: ModelOption, b: ModelOption, primary: ModelItems['primary']): boolean {
  return [...a.items].every(([name, colour]) => {
    const other = b.items.get(name);
    return other === undefined || primary.has(name) || (colour !== '' && colour === other);
  });
}
