/**
 * Reads exact-cover problems, whose lines mean what the table of `dialects.ts` says. A problem is one object: an error makes
 * it unreadable, and reading continues after the next blank line if the format has several problems in a file.
 *
 *     bytes -> lines -> read by the dialect into a draft -> a record, at a blank line or the end
 */
import { CommentLog } from '../records/comment-log.ts';
import { CoverBuilder } from './cover-builder.ts';
import { CoverDraft } from './cover-draft.ts';
import { BAD_LINE, CoverLines } from './cover-lines.ts';
import type { CoverFormatName, CoverReader, CoverRecord } from './cover-record.ts';
import { DIALECTS } from './dialects.ts';

/** Lines that are read after an error, for detection. */
const MAX_AFTER_ERROR = 100;

/** Reads problems, and what detection wants to know of them. */
export function draftReader(format: CoverFormatName) {
  const { comments: signs, hasMany, head, option, end: conclude } = DIALECTS[format];
  const comments = new CommentLog();
  const lines = new CoverLines();
  const builder = new CoverBuilder();
  const reader = {
    comments,
    /** The problem being read. */
    open: undefined as CoverDraft | undefined,
    push,
    end,
  };

  function* read(): Iterable<CoverDraft> {
    for (; lines.hasArrived(lines.head); lines.consume(1)) {
      const at = lines.head;
      const { open } = reader;
      if (lines.tokens[at] === 0) {
        // A blank line above the first option separates nothing.
        if (hasMany && open !== undefined && (open.good > 0 || open.error !== undefined)) yield* close(false);
      } else if (signs[lines.bytes[lines.text[at]]] === 1) {
        comments.addLine(lines, at);
      } else {
        if (reader.open === undefined) {
          reader.open = new CoverDraft(lines.number(at), builder);
          lines.fault = undefined;
        }
        readLine(reader.open, at);
      }
    }
  }

  function readLine(draft: CoverDraft, at: number): void {
    draft.lineEnd = lines.number(at);
    const { itemCount, error, good, bad } = draft;
    if (error !== undefined && (itemCount === 0 || bad + good > MAX_AFTER_ERROR)) return;
    try {
      if (lines.isLong(at)) {
        lines.fail('too_large', lines.start[at], lines.end[at], 'lines of 1 MiB at most');
      }
      if (itemCount === 0 && head?.(draft, lines, at) === true) return;
      option(draft, lines, at);
      if (itemCount > 0 || builder.optionCount + builder.ignoredOptions > 0) draft.good++;
    } catch (thrown) {
      if (thrown !== BAD_LINE) throw thrown;
      draft.bad++;
      draft.error ??= lines.errorOf(at, lines.fault!);
    }
  }

  function* close(isCut: boolean): Iterable<CoverDraft> {
    const draft = reader.open;
    reader.open = undefined;
    if (draft === undefined || (draft.error === undefined && draft.itemCount === 0)) return;
    if (draft.error === undefined) {
      const built = builder.build();
      const cover = conclude?.(draft, built, isCut) ?? built;
      if (draft.error === undefined) draft.cover = cover;
    }
    yield draft;
  }

  function push(bytes: Uint8Array): Iterable<CoverDraft> {
    lines.feed(bytes);
    return read();
  }

  /** @param isCut whether the file continues */
  function* end(isCut = false): Iterable<CoverDraft> {
    if (!isCut) lines.finish();
    yield* read();
    yield* close(isCut);
  }

  return reader;
}

/** Opens a reader of the records of an exact-cover file. */
export function openCoverReader(format: CoverFormatName): CoverReader {
  const { comments, push, end } = draftReader(format);
  function* recordsOf(drafts: Iterable<CoverDraft>): Iterable<CoverRecord> {
    for (const draft of drafts) {
      const { line, lineEnd, cover, error } = draft;
      yield { format, line, lineEnd, warnings: draft.warnings(), cover, error };
    }
  }
  return { comments, push: (bytes) => recordsOf(push(bytes)), end: () => recordsOf(end()) };
}
