/** Detects a file's format from its first MiB; see `Detection`. */
import { fold, isAscii } from './bytes/character-folding.ts';
import { MARK } from './bytes/line-window.ts';
import { ENCODING_SAMPLE_BYTES, utf16Of } from './bytes/utf16.ts';
import { alphabetOf } from './cells/alphabets.ts';
import { detectCover } from './exact-cover/covers.ts';
import { type FileFormat, isRefusal } from './file-format.ts';
import { FILE_FORMATS } from './file-format-registry.ts';
import type { Detection, FormatHints } from './reader.ts';
import { errorAt, makeFault } from './records/fault.ts';
import { RARE_SIZES } from './records/layout-book.ts';
import type { ParseError } from './records/record-block.ts';
import { hasNoItems } from './refusals.ts';
import { ruleAbove, ruleIn } from './rules-around.ts';
import { type FileHead, type HeadResult, survey } from './survey.ts';
import { WorkLimitError, WorkMeter } from './work-meter.ts';

/**
 * Detects a file's format. Characters that stand for ASCII are folded if that gives more puzzles or fewer errors.
 *
 * @param work limits the work of all passes over the head
 */
export function detect(
  head: Uint8Array,
  complete: boolean,
  hints: FormatHints,
  work = new WorkMeter(head.length),
): Detection {
  try {
    return detectWithin(head, complete, hints, work);
  } catch (error) {
    if (!(error instanceof WorkLimitError)) throw error;
    const { message } = error;
    return { kind: 'unreadable', error: { code: 'too_large', message, line: 1, column: 1 } };
  }
}

function detectWithin(head: Uint8Array, complete: boolean, hints: FormatHints, work: WorkMeter): Detection {
  const encoding = encodingError(head);
  if (encoding !== undefined) return { kind: 'unreadable', error: encoding };
  const plain = detectFormat(head, complete, hints, work);
  const { detection } = plain;
  const text = withoutMark(head);
  if (detection.kind === 'exact-cover' || isAscii(text)) return detection;
  const { folded } = fold(text);
  if (isSame(folded, text)) return detection;
  const { detection: other, readable, unreadable } = detectFormat(folded, complete, hints, work);
  if (other.kind !== 'puzzles') {
    return other.kind === 'unreadable' && isCertain(folded, hints) ? other : detection;
  }
  const isBetter = readable - plain.readable || plain.unreadable - unreadable;
  return isBetter > 0 ? { ...other, settings: { ...other.settings, folded: true } } : detection;
}

/** Whether a file has a format beyond doubt: if its reader has refused the file, no other reader is asked. */
function isCertain(body: Uint8Array, hints: FormatHints): boolean {
  return formatsFor(hints).some((format) => format.isCertain?.(body) === true);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** A detection that is final, without a reading of the head. */
function withoutRecords(detection: Detection): HeadResult {
  return { detection, hasRead: true, readable: 0, unreadable: 0 };
}

/** Detects a file's format; if it has no puzzle of a common size, tries the rare sizes. */
function detectFormat(head: Uint8Array, complete: boolean, hints: FormatHints, work: WorkMeter): HeadResult {
  const cover = detectCover(head, complete, hints, undefined);
  if (cover !== undefined) return withoutRecords(cover);
  const file = { head, complete, hints, work, given: hintedAlphabets(hints) };
  const common = detectPuzzles({ ...file, sizes: [] });
  const { detection, hasRead } = common;
  if (hasRead || detection.kind === 'empty') return common;
  // A header alone may be one of an exact cover.
  const isOpen =
    (detection.kind !== 'unreadable' || detection.error.code === 'no_puzzles') && !hasDamagedPuzzle(head);
  const laterCover =
    isOpen && !isCertain(withoutMark(head), hints) && !hasNoItems(head)
      ? detectCover(head, complete, hints, false)
      : undefined;
  if (laterCover !== undefined) return withoutRecords(laterCover);
  const rare = detectPuzzles({ ...file, sizes: RARE_SIZES });
  return rare.hasRead ? rare : common;
}

/** Whether a text has a run of cells that is long enough for half a puzzle, which is no name of an item and no row of 0 and 1. */
function hasDamagedPuzzle(head: Uint8Array): boolean {
  const runs = new TextDecoder().decode(head.subarray(0, MAX_RUN_BYTES)).match(/[\d.*_?]{40,}/g) ?? [];
  return runs.some((run) => /[^01]/.test(run));
}

const MAX_RUN_BYTES = 64 * 1024;

/** Looks for puzzles in every possible format. */
function detectPuzzles(file: FileHead): HeadResult {
  const { head, hints } = file;
  const body = withoutMark(head);
  let found: HeadResult | undefined;
  for (const { name, recognise } of formatsFor(hints)) {
    const settings = recognise(body, hints);
    if (settings === undefined) continue;
    if (isRefusal(settings)) return withoutRecords({ kind: 'unreadable', error: settings.refused });
    const rule = ruleAbove(body);
    if (rule !== undefined) return withoutRecords({ kind: 'unreadable', error: rule });
    found = survey(file, name, settings);
    if (found.hasRead || found.detection.kind !== 'unreadable' || hints.format !== undefined) return found;
    if (isCertain(body, hints)) return found;
    // A damaged first byte may look like the start of another format; the text after it decides.
    break;
  }
  const text = surveyText(file);
  const { kind } = text.detection;
  if (kind === 'puzzles' || (found === undefined && (text.hasRead || kind === 'empty'))) return text;
  return surveyAfterDamage(file, body) ?? found ?? text;
}

/** Looks for a file format that begins at the first bracket after a damaged start. */
function surveyAfterDamage(file: FileHead, body: Uint8Array): HeadResult | undefined {
  const from = body.subarray(1, MAX_DAMAGED_BYTES).findIndex((byte) => OPENING_BYTES.includes(byte)) + 1;
  for (const { name, recognise } of from === 0 ? [] : formatsFor(file.hints)) {
    const settings = recognise(body.subarray(from), file.hints);
    if (settings === undefined || isRefusal(settings)) continue;
    const found = survey(file, name, settings);
    if (found.detection.kind === 'puzzles') return found;
  }
  return undefined;
}

/** The file formats that the user has not excluded. */
function formatsFor({ format }: FormatHints): readonly FileFormat[] {
  return FILE_FORMATS.filter(({ name }) => format === undefined || format === name);
}

/** First bytes of JSON and XML: `[` `{` `<`. */
const OPENING_BYTES = [91, 123, 60];
const MAX_DAMAGED_BYTES = 1024;

/** The head after its byte-order mark, if it has one. */
function withoutMark(head: Uint8Array): Uint8Array {
  return MARK.every((byte, at) => head[at] === byte) ? head.subarray(MARK.length) : head;
}

/** Reads the head as text; rejects one with a rule for its puzzles that no reader sees. */
function surveyText(file: FileHead): HeadResult {
  const found = survey(file, undefined, {});
  const { head } = file;
  if (found.detection.kind === 'empty') return found;
  const error = ruleIn(head, file.hints, found.hasRead);
  return error === undefined ? found : withoutRecords({ kind: 'unreadable', error });
}

/** All sizes: with a region map, a puzzle may have any. */
const SIZES = Array.from({ length: 35 }, (_, index) => index + 2);

/** The user's alphabet, by size. */
function hintedAlphabets({ alphabet, box }: FormatHints): Record<string, string> {
  if (alphabet === undefined) return {};
  const sizes = box === undefined ? [...SIZES, alphabet.length] : [box[0] * box[1]];
  const known = sizes.filter((size) => alphabetOf(size, alphabet) !== undefined);
  return Object.fromEntries(known.map((size) => [size, alphabet]));
}

/** Rejects UTF-16 and UTF-32, by the byte-order mark, and binary data, by its zero bytes; zeros at the end do not count. */
function encodingError(head: Uint8Array): ParseError | undefined {
  const found = otherEncoding(head);
  if (found === undefined) return undefined;
  const advice = 'save the file as UTF-8';
  return errorAt({ line: 1, column: 1 }, makeFault('bad_encoding', 0, found, 'ASCII or UTF-8', { advice }));
}

function otherEncoding(head: Uint8Array): string | undefined {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return `a byte-order mark of ${c === 0 && d === 0 ? 'UTF-32' : 'UTF-16'}`;
  if (a === 0xfe && b === 0xff) return 'a byte-order mark of UTF-16';
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'a byte-order mark of UTF-32';
  if (utf16Of(head) !== undefined) return 'UTF-16 without a byte-order mark';
  let end = Math.min(head.length, ENCODING_SAMPLE_BYTES);
  if (end === 0) return undefined;
  while (end > 0 && head[end - 1] === 0) end--;
  let zeros = 0;
  for (let at = 0; at < end; at++) if (head[at] === 0) zeros++;
  return zeros * 3 < end ? undefined : 'many zero bytes, as in binary data or UTF-32';
}
