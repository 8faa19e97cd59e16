/**
 * Detects Knuth's format in the head of a file.
 *
 * Any line of words could be an item line; the lines after it must consist of the same items.
 *
 *     A B C | X Y        strong: a bar among the items or a multiplicity (2:3|A), and more valid options than invalid ones
 *     A B X:0 Y:0
 *
 *     1 2 3 4            weak: no bar; a solved grid also consists of the items of its first line, so the sudoku formats
 *     3 4 1 2            take precedence
 */
import { HASH, SEMICOLON, SLASH } from '../bytes/ascii.ts';
import { CoverBuilder } from './cover-builder.ts';
import { type CoverLines, CoverWarnings, HeadLines } from './cover-lines.ts';
import { isKnuthComment, readItemLine, readOptionLine } from './knuth-line.ts';
import { NameTable } from './name-table.ts';

/** Option lines that are checked. */
const MAX_SAMPLE_OPTIONS = 100;

/**
 * @param head the first bytes of a file
 * @param complete whether they are the whole file
 * @param strongOnly whether to look only for strong signs; then the first line is enough to exclude most files
 */
export function knuthSigns(
  head: Uint8Array,
  complete: boolean,
  strongOnly: boolean,
): 'strong' | 'weak' | undefined {
  const first = head.findIndex((byte) => byte > 32);
  // Comments of other formats, which would be items in this one.
  if (first < 0 || head[first] === HASH || head[first] === SEMICOLON || head[first] === SLASH)
    return undefined;
  const lines = new HeadLines(head.subarray(first), complete);
  const commented = skipComments(lines);
  if (!lines.hasArrived(lines.head) || lines.isLong(lines.head)) return undefined;
  const warnings = new CoverWarnings();
  const items = readItemLine(lines, lines.head, warnings);
  if ('code' in items || (strongOnly && !items.hasBar && items.multiplicities === undefined))
    return undefined;
  const itemCount = items.names.count;
  const builder = new CoverBuilder(items.primaryCount, itemCount - items.primaryCount);
  const colours = new NameTable();
  let good = 0;
  let bad = 0;
  let parts = false;
  for (lines.consume(1); good + bad < MAX_SAMPLE_OPTIONS; lines.consume(1)) {
    skipComments(lines);
    const at = lines.head;
    if (!lines.hasArrived(at)) break;
    builder.beginOption();
    const fault = lines.isLong(at) || readOptionLine(lines, at, items, colours, builder, warnings);
    if (fault === undefined) good++;
    else bad++;
    parts ||= lines.tokens[at] < itemCount;
  }
  if (good <= bad) return undefined;
  if (items.hasBar && itemCount > items.primaryCount) return 'strong';
  if (items.multiplicities !== undefined) return 'strong';
  // Repetitions of one line are not a set of options.
  return parts && (commented || (good > 1 && bad === 0)) ? 'weak' : undefined;
}

/** Skips to the next line with items or an option; returns whether it skipped a comment. */
function skipComments(lines: CoverLines): boolean {
  let comment = false;
  for (; lines.hasArrived(lines.head); lines.consume(1)) {
    const isComment = isKnuthComment(lines, lines.head);
    if (lines.tokens[lines.head] > 0 && !isComment) break;
    comment ||= isComment;
  }
  return comment;
}
