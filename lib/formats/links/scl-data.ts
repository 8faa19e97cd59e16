/**
 * SudokuPad's own shortening of its JSON: names without quotes, short names, nothing for an empty object.
 *
 *     {ce:[[,{v:5},],...],re:[...]}     {"cells":[[{},{"value":5},{}],...],"regions":[...]}
 */
import { type JsonValue, parseText } from '../bytes/json-scan.ts';

const NAMES: ReadonlyMap<string, string> = new Map([
  ['a', 'arrows'],
  ['ca', 'cages'],
  ['ce', 'cells'],
  ['l', 'lines'],
  ['o', 'overlays'],
  ['re', 'regions'],
  ['t', 'title'],
  ['te', 'text'],
  ['u', 'underlays'],
  ['v', 'value'],
]);

/** @returns its value; undefined if the text is something else */
export function parseScl(text: string): JsonValue | undefined {
  return parseText(text) ?? parseText(lengthened(text));
}

/** The text as JSON. */
function lengthened(text: string): string {
  const quoted = text.includes('"') ? text : text.replaceAll(/\\'|'/g, (sign) => (sign === "'" ? '"' : "'"));
  // Strings are left alone: everything else is between them. One without an end takes the rest, which is read once.
  return quoted
    .split(/("(?:[^"\\]|\\.)*"?)/)
    .map((part, k) => (k % 2 === 1 ? part : lengthenedMarks(part)))
    .join('')
    .replaceAll(/(?<=[[,])(?=[\],])/g, '{}')
    .replaceAll('[{}]', '[]');
}

function lengthenedMarks(part: string): string {
  return part
    .replaceAll(/(?<=[{,])([a-zA-Z]\w*):/g, (_, name: string) => `"${NAMES.get(name) ?? name}":`)
    .replaceAll(/:(f|t)(?=[,}\]])/g, (_, sign: string) => `:${sign === 't'}`)
    .replaceAll(/:(#?[0-9a-fA-F]{6}|#[0F])(?=[,}\]])/g, ':"$1"');
}
