/**
 * Whether the head of a file shows Knuth's format.
 *
 * Any line of words could name items. What tells is that the lines behind it are made of those very items.
 *
 *     A B C | X Y        a bar among the items, and more good options than bad ones: no other format has that
 *     A B X:0 Y:0
 *
 *     1 2 3 4            no bar: a solved grid is made of the items of its first line too, so these signs are
 *     3 4 1 2            weak, and whoever knows puzzles in cells is asked first
 */
import { CoverBuilder } from './cover-builder.ts';
import { CoverLines, CoverWarnings } from './cover-lines.ts';
import { isKnuthComment, readItemLine, readOptionLine } from './knuth-line.ts';
import { NameTable } from './name-table.ts';

const HASH = 35;
const SLASH = 47;
const SEMICOLON = 59;
/** Lines with options that are looked at. */
const OPTIONS = 100;

/**
 * Looks for signs of Knuth's format.
 *
 * @param head the first bytes of a file
 * @param complete whether they are the whole file
 * @param strongOnly whether weak signs are not asked for; then most files are told by their first line
 */
export function knuthSigns(
  head: Uint8Array,
  complete: boolean,
  strongOnly: boolean,
): 'strong' | 'weak' | undefined {
  const first = head.findIndex((byte) => byte > 32);
  // Comments of other formats: in this one they would be items.
  if (first < 0 || head[first] === HASH || head[first] === SEMICOLON || head[first] === SLASH)
    return undefined;
  const lines = new CoverLines();
  lines.feed(head.subarray(first));
  if (complete) lines.finish();
  const commented = skipComments(lines);
  if (!lines.has(lines.head) || lines.isLong(lines.head)) return undefined;
  const warnings = new CoverWarnings();
  const items = readItemLine(lines, lines.head, warnings);
  if ('code' in items || (strongOnly && !items.hasBar)) return undefined;
  const itemCount = items.names.count;
  const builder = new CoverBuilder(items.primaryCount, itemCount - items.primaryCount);
  const colours = new NameTable();
  let good = 0;
  let bad = 0;
  let parts = false;
  for (lines.consume(1); good + bad < OPTIONS; lines.consume(1)) {
    skipComments(lines);
    const at = lines.head;
    if (!lines.has(at)) break;
    builder.beginOption();
    const fault = lines.isLong(at) || readOptionLine(lines, at, items, colours, builder, warnings);
    if (fault === undefined) good++;
    else bad++;
    parts ||= lines.tokens[at] < itemCount;
  }
  if (good <= bad) return undefined;
  if (items.hasBar && itemCount > items.primaryCount) return 'strong';
  // One line again and again is no set of options.
  return parts && (commented || (good > 1 && bad === 0)) ? 'weak' : undefined;
}

/** Goes on at the next line with an option or with items; whether there was a comment before it. */
function skipComments(lines: CoverLines): boolean {
  let comment = false;
  for (; lines.has(lines.head); lines.consume(1)) {
    const isComment = isKnuthComment(lines, lines.head);
    if (lines.tokens[lines.head] > 0 && !isComment) break;
    comment ||= isComment;
  }
  return comment;
}
