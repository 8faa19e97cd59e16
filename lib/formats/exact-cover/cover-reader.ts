/**
 * Reads exact-cover problems, whose lines mean what the table of `dialects.ts` says. A problem is one object: an error makes
 * it unreadable, and reading continues after the next blank line if the format has several problems in a file.
 *
 *     bytes -> lines -> read by the dialect into a draft -> a record, at a blank line or the end
 */
import { CommentLog } from '../records/comment-log.ts';
import { CoverBuilder } from './cover-builder.ts';
import { CoverDraft } from './cover-draft.ts';
import { CoverLines, longLineFault } from './cover-lines.ts';
import type { CoverFormatName, CoverProblem, CoverReader, CoverRecord } from './cover-record.ts';
import { DIALECTS, type Dialect } from './dialects.ts';

/** Lines that are read after an error, for detection. */
const MAX_AFTER_ERROR = 100;

/** A problem that was read. */
export interface FinishedDraft {
  readonly draft: CoverDraft;
  /** Undefined if there is an error. */
  readonly cover: CoverProblem | undefined;
}

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

  *push(bytes: Uint8Array): Iterable<FinishedDraft> {
    this.#lines.feed(bytes);
    yield* this.#read();
  }

  /** @param isCut whether the file continues */
  *end(isCut = false): Iterable<FinishedDraft> {
    if (!isCut) this.#lines.finish();
    yield* this.#read();
    yield* this.#close(isCut);
  }

  *#read(): Iterable<FinishedDraft> {
    const lines = this.#lines;
    const { comments, hasMany } = this.#dialect;
    for (; lines.hasArrived(lines.head); lines.consume(1)) {
      const at = lines.head;
      const first = lines.bytes[lines.text[at]];
      if (lines.tokens[at] === 0) {
        // A blank line above the first option separates nothing.
        const { good = 0, error } = this.open ?? {};
        if (hasMany && (good > 0 || error !== undefined)) yield* this.#close(false);
      } else if (comments[first] === 1) this.comments.addLine(lines, at);
      else this.#readLine(at);
    }
  }

  #readLine(at: number): void {
    const lines = this.#lines;
    this.open ??= new CoverDraft(lines.number(at), this.#builder);
    const draft = this.open;
    draft.lineEnd = lines.number(at);
    if (draft.error !== undefined && (draft.itemCount === 0 || draft.bad + draft.good > MAX_AFTER_ERROR))
      return;
    const isOption = draft.itemCount > 0;
    const fault = lines.isLong(at) ? longLineFault(lines, at) : this.#dialect.read(draft, lines, at);
    if (fault !== undefined) {
      draft.bad++;
      draft.error ??= lines.errorOf(at, fault);
    } else if (isOption || draft.builder.optionCount + draft.builder.ignoredOptions > 0) draft.good++;
  }

  *#close(isCut: boolean): Iterable<FinishedDraft> {
    const draft = this.open;
    if (draft === undefined) return;
    this.open = undefined;
    if (draft.error === undefined && draft.itemCount === 0) return;
    if (draft.error !== undefined) yield { draft, cover: undefined };
    else {
      const cover = this.#dialect.end?.(draft, isCut) ?? draft.builder.build();
      if ('code' in cover) draft.error = cover;
      yield { draft, cover: 'code' in cover ? undefined : cover };
    }
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

  *push(bytes: Uint8Array): Iterable<CoverRecord> {
    for (const finished of this.#drafts.push(bytes)) yield this.#recordOf(finished);
  }

  *end(): Iterable<CoverRecord> {
    for (const finished of this.#drafts.end()) yield this.#recordOf(finished);
  }

  #recordOf({ draft: { line, lineEnd, warnings, error }, cover }: FinishedDraft): CoverRecord {
    if (cover?.problem.optionCount === 0) warnings.addNoOptions(line);
    return {
      format: this.#format,
      line,
      lineEnd,
      warnings: error === undefined ? warnings.texts() : [],
      cover,
      error,
    };
  }
}
