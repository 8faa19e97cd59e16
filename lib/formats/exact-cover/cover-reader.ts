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
import { DIALECTS, type Dialect } from './dialects.ts';

/** Lines that are read after an error, for detection. */
const MAX_AFTER_ERROR = 100;

/** Reads problems, and what detection wants to know of them. */
export class DraftReader {
  readonly comments = new CommentLog();
  readonly #lines = new CoverLines();
  readonly #builder = new CoverBuilder();
  readonly #dialect: Dialect;
  /** The problem being read. */
  open: CoverDraft | undefined;

  constructor(format: CoverFormatName) {
    this.#dialect = DIALECTS[format];
  }

  *push(bytes: Uint8Array): Iterable<CoverDraft> {
    this.#lines.feed(bytes);
    yield* this.#read();
  }

  /** @param isCut whether the file continues */
  *end(isCut = false): Iterable<CoverDraft> {
    if (!isCut) this.#lines.finish();
    yield* this.#read();
    yield* this.#close(isCut);
  }

  *#read(): Iterable<CoverDraft> {
    const lines = this.#lines;
    const { comments, hasMany } = this.#dialect;
    for (; lines.hasArrived(lines.head); lines.consume(1)) {
      const at = lines.head;
      if (lines.tokens[at] === 0) {
        // A blank line above the first option separates nothing.
        const { good = 0, error } = this.open ?? {};
        if (hasMany && (good > 0 || error !== undefined)) yield* this.#close(false);
      } else if (comments.includes(String.fromCharCode(lines.bytes[lines.text[at]]))) {
        this.comments.addLine(lines, at);
      } else this.#readLine(at);
    }
  }

  #readLine(at: number): void {
    const lines = this.#lines;
    this.open ??= new CoverDraft(lines.number(at), this.#builder);
    const draft = this.open;
    draft.lineEnd = lines.number(at);
    if (draft.error !== undefined && (draft.itemCount === 0 || draft.bad + draft.good > MAX_AFTER_ERROR))
      return;
    const { head, option } = this.#dialect;
    const { builder, itemCount } = draft;
    try {
      if (lines.isLong(at)) {
        lines.fail('too_large', lines.start[at], lines.end[at], 'lines of 1 MiB at most');
      }
      if (itemCount === 0 && head?.(draft, lines, at) === true) return;
      option(draft, lines, at);
      if (itemCount > 0 || builder.optionCount + builder.ignoredOptions > 0) draft.good++;
    } catch (error) {
      if (error !== BAD_LINE) throw error;
      draft.bad++;
      draft.error ??= lines.errorOf(at, lines.fault!);
    }
  }

  *#close(isCut: boolean): Iterable<CoverDraft> {
    const draft = this.open;
    this.open = undefined;
    if (draft === undefined || (draft.error === undefined && draft.itemCount === 0)) return;
    if (draft.error === undefined) {
      const built = draft.builder.build();
      const cover = this.#dialect.end?.(draft, built, isCut) ?? built;
      if (draft.error === undefined) draft.cover = cover;
    }
    yield draft;
  }
}

/** Reads the records of an exact-cover file. */
export class CoverRecords implements CoverReader {
  readonly #drafts: DraftReader;
  readonly #format: CoverFormatName;

  constructor(format: CoverFormatName) {
    this.#drafts = new DraftReader(format);
    this.#format = format;
  }

  get comments(): CommentLog {
    return this.#drafts.comments;
  }

  push(bytes: Uint8Array): Iterable<CoverRecord> {
    return this.#records(this.#drafts.push(bytes));
  }

  end(): Iterable<CoverRecord> {
    return this.#records(this.#drafts.end());
  }

  *#records(drafts: Iterable<CoverDraft>): Iterable<CoverRecord> {
    for (const draft of drafts) {
      const { line, lineEnd, cover, error } = draft;
      yield { format: this.#format, line, lineEnd, warnings: draft.warnings(), cover, error };
    }
  }
}
