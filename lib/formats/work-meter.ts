/**
 * Limits the work of detection and of readers: the bytes that they examine, counted for each pass, record or group of
 * lines. Every window is bounded, so no file is known that reaches the limit: it ends a file that shows a defect.
 */

/** Bytes that may be examined for each byte of the file, and in addition. */
export const WORK_PER_BYTE = 1000;
const BASE_WORK = 64 * 1024 * 1024;

/** A file takes too much work to be read. */
export class WorkLimitError extends Error {
  override readonly name = 'WorkLimitError';

  /**
   * What was spent exactly depends on the blocks in which records are read, so the message has the limit.
   *
   * @param fileBytes bytes of the file so far
   */
  constructor(limit: number, fileBytes: number) {
    super(
      `reading took too much work: more than ${Math.floor(limit)} bytes were examined for ${fileBytes} bytes of the file, ` +
        'which is the limit; set the option format, so that only one is tried, or split the file',
    );
  }
}

export class WorkMeter {
  /** Bytes that were examined so far. */
  spent = 0;
  #fileBytes: number;
  readonly #minBytes: number;
  /** Whether a reader feeds it the file. */
  readonly isFed: boolean;

  /**
   * @param fileBytes size of the head that is read again and again; omitted for a reader, which is fed the file
   * @param minBytes bytes that count as fed from the beginning
   */
  constructor(fileBytes?: number, minBytes = 0) {
    this.#fileBytes = fileBytes ?? 0;
    this.#minBytes = minBytes;
    this.isFed = fileBytes === undefined;
  }

  /** Bytes of the file so far. */
  get fileBytes(): number {
    return Math.max(this.#fileBytes, this.#minBytes);
  }

  /** Bytes that may be examined for those of the file so far. */
  get limit(): number {
    return BASE_WORK + WORK_PER_BYTE * this.fileBytes;
  }

  /** More bytes of the file have arrived. */
  feed(bytes: number): void {
    if (this.isFed) this.#fileBytes += bytes;
  }

  /** @throws WorkLimitError above the limit */
  spend(bytes: number): void {
    this.spent += bytes;
    const { limit } = this;
    if (this.spent > limit) throw new WorkLimitError(limit, this.fileBytes);
  }
}

/** A limit that does not grow with the file. */
export class WorkBudget extends WorkMeter {
  readonly #bytes: number;

  /** @param bytes that may be examined */
  constructor(bytes: number) {
    super(0);
    this.#bytes = bytes;
  }

  override get limit(): number {
    return this.#bytes;
  }
}

/** No limit, for a part of a file whose work is limited as a whole. */
export function unlimitedWork(): WorkMeter {
  return new WorkMeter(Number.POSITIVE_INFINITY);
}
