/** Words of the page: names of its fields, and messages of the program without the options of the command line. */

/** The fields of the page by option name, most useful first. */
export const FIELD_LABELS = {
  engine: 'Engine',
  output: 'Layout of the solutions',
  solutions: 'Solutions to search for',
  'max-nodes': 'Search nodes per puzzle',
  format: 'Input format',
  variant: 'Rules',
  alphabet: 'Symbols for the digits',
  box: 'Box, rows x columns',
  rate: 'Rate how hard each puzzle with one solution is',
  records: 'Write records.jsonl: one record per puzzle, with its time',
  strict: 'Write only puzzles that are proven to have exactly one solution',
  'csv-safe': 'In tables, put an apostrophe before cells that spreadsheet programs would execute',
} as const;

/** A message as the page shows it, as a sentence. */
export function sentence(message: string): string {
  const text = pageText(message);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/**
 * A message as the page shows it: an option of the command line becomes the field that sets it. `needs --box 2x5` is
 * `needs "Box, rows x columns" 2x5`; an option without a field keeps its name in words.
 */
export function pageText(message: string): string {
  const labels: Readonly<Record<string, string>> = FIELD_LABELS;
  return message.replaceAll(
    /(?<![\w-])--([a-z]+(?:-[a-z]+)*)/g,
    (_flag, name: string) => `"${labels[name] ?? name.replaceAll('-', ' ')}"`,
  );
}
