/**
 * Limits the work of detection and of readers: the bytes that they examine, counted for each pass, record or group of
 * lines. Every window is bounded, so no file is known that reaches the limit: it ends a file that shows a defect.
 */

/** Bytes that may be examined for each byte of the file, and in addition. */
const WORK_PER_BYTE = 1000;
const BASE_WORK = 64 * 1024 * 1024;

/** A file takes too much work to be read. */
export class WorkLimitError extends Error {
  override readonly name = 'WorkLimitError';

  /** @param fileBytes bytes of the file so far */
  constructor(spent: number, limit: number, fileBytes: number) {
    super(
      `reading took too much work: ${spent} bytes were examined for ${fileBytes} bytes of the file, the limit is ${limit}; ` +
        'pass --format, which tries one format only, or split the file',
    );
  }
}

export class WorkMeter {
  /** Bytes that were examined so far. */
  spent = 0;
  #fileBytes: number;
  readonly #grows: boolean;

  /** @param fileBytes size of the head that is read again and again; omitted for a reader, which is fed the file */
  constructor(fileBytes?: number) {
    this.#fileBytes = fileBytes ?? 0;
    this.#grows = fileBytes === undefined;
  }

  /** More bytes of the file have arrived. */
  feed(bytes: number): void {
    if (this.#grows) this.#fileBytes += bytes;
  }

  /** @throws WorkLimitError above the limit */
  spend(bytes: number): void {
    this.spent += bytes;
    const limit = BASE_WORK + WORK_PER_BYTE * this.#fileBytes;
    if (this.spent > limit) throw new WorkLimitError(this.spent, limit, this.#fileBytes);
  }
}
