/**
 * Members that an object of JSON has twice. A parser keeps only the last one, so they are found in the text:
 *
 *     {"cages":[{...}],"puzzle":"53..7....","cages":[]}      an error, not a puzzle without cages
 */

import { BACKSLASH, CLOSE_BRACE, COLON, OPEN_BRACE, QUOTE } from '../bytes/ascii.ts';
import { type Fault, makeFault } from '../records/fault.ts';

/** A member that is the second one with its name in its object. */
export interface RepeatedMember {
  readonly key: string;
  /** The member of the outermost object that has it; itself, if that is its object. */
  readonly member: string;
  /** Whether the outermost object has it. */
  readonly isDirect: boolean;
}

/** @param text valid JSON */
export function repeatedMembers(text: string): readonly RepeatedMember[] {
  /** The names of each open object. A list needs none: what is in it has no name. */
  const open: Set<string>[] = [];
  const repeated: RepeatedMember[] = [];
  let member = '';
  let [from, to] = [0, 0];
  for (let at = text.includes('{') ? 0 : text.length; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      from = at;
      at++;
      while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
      to = at + 1;
    } else if (sign === COLON) {
      const key = memberName(text.slice(from, to));
      const names = open[open.length - 1];
      if (open.length === 1) member = key;
      if (names.has(key)) repeated.push({ key, member, isDirect: open.length === 1 });
      names.add(key);
    } else if (sign === OPEN_BRACE) open.push(new Set());
    else if (sign === CLOSE_BRACE) open.pop();
  }
  return repeated;
}

/** The name in a string of JSON with its quotes. */
export function memberName(text: string): string {
  if (!text.includes('\\')) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    // Escapes that are none: the name is as good as it is.
    return text.slice(1, -1);
  }
}

/** @param owner of the member, if it is not that of the record */
export function repeatFault(key: string, owner = ''): Fault {
  return makeFault(
    'bad_character',
    -1,
    `the member ${JSON.stringify(key)}${owner} twice`,
    'each member once',
  );
}
