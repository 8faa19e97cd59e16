/**
 * Removes the wording from result files: the rest depends on the input and the options, not on the phrasing of messages.
 * Texts have one character for each byte.
 *
 *     in solutions                              kept
 *     # puzzle 2 (line 7): invalid: 1 ...       # 2 7          index and line, or index and ordinal
 *     <!-- puzzle 2 (line 7): invalid ... -->   # 2 7          OpenSudoku's comment
 *     # b c                                     # b c          an option of an exact cover, copied from the input
 *
 *     in tables                                 kept
 *     ...,invalid,"1 ..."                       ...,invalid,   all but the column after the status
 *
 *     in JSON lines        kept
 *     message              nothing
 *     found, expected      a symbol, a grid, a quote of the input: all of it; a phrase: its numbers
 *     warnings             a code: all of it; a sentence: its numbers
 *     solveUs              nothing: a time
 *
 * All else is kept byte for byte: codes, statuses, lines, columns, cells, counts, ids, names of units.
 */

/** @param input the plain bytes of the job's input, one character for each byte */
export function withoutWording(fileName: string, text: string, input: string): string {
  const isJsonLines = fileName.endsWith('.jsonl');
  const copied = new Set(isJsonLines ? [] : input.split(/[\r\n]+/).map(singleSpaced));
  return text
    .split('\n')
    .map((line) => (isJsonLines ? jsonWithoutWording(line, input) : lineWithoutWording(line, copied)))
    .map((line) => (fileName.endsWith('.csv') ? line.replace(ERROR_FIELD, '$1$2$1') : line))
    .join('\n');
}

/** The field after a status, with the separator before it. */
const ERROR_FIELD =
  /([,;\t|])( ?(?:solved|multiple|unsolvable|invalid|unreadable|limit) ?)\1("(?:[^"]|"")*"|(?:(?!\1).)*)/g;

function lineWithoutWording(line: string, copied: ReadonlySet<string>): string {
  // No row of a grid starts with "# " or "<!-- " and has a word in it.
  if (!/^(# |<!-- ).*[a-z]{3}/.test(line) || copied.has(line)) return line;
  return ['#', ...(line.match(/\d+/g) ?? []).slice(0, 2)].join(' ');
}

function singleSpaced(line: string): string {
  return line.replace(/[\t\v\f ]+/g, ' ').trim();
}

function jsonWithoutWording(line: string, input: string): string {
  if (line === '') return line;
  const value: unknown = JSON.parse(line);
  // Parsing would hide other spacing or another notation of numbers: such a line is kept, so that it fails.
  if (JSON.stringify(value) !== line) return line;
  return JSON.stringify(value, (key, field) => {
    if (key === 'message') return '';
    if (key === 'solveUs') return 0;
    if (key === 'warnings') return field.map(numbersOfPhrase);
    if (key === 'expected') return numbersOfPhrase(field);
    if (key === 'found') return input.includes(field.replace(/\.\.\.$/, '')) ? field : numbersOfPhrase(field);
    return field;
  });
}

function numbersOfPhrase(text: string): string {
  return text.includes(' ') ? (text.match(/\d+/g) ?? []).join(' ') : text;
}
