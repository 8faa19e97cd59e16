/**
 * The form of a POST upload (`multipart/form-data`, RFC 7578), read from start to end: small fields first, then the
 * file as a stream. Fields after the file are not read.
 *
 *     --boundary CRLF headers CRLF CRLF value CRLF --boundary CRLF ... CRLF --boundary--
 */
import { invalidArgument, S3Error } from '../errors.ts';

/** Maximum bytes of all fields before the file, inclusive. */
const MAX_FIELDS_BYTES = 20_000;

/** The fields of a form before its file, and the file. */
export interface UploadForm {
  /** Raw values, by names in lower case. */
  readonly fields: ReadonlyMap<string, Buffer>;
  /** The client's name for the file; empty if it sends none. */
  readonly fileName: string;
  /** The file's bytes, to be read once. @throws S3Error during iteration if the form ends early */
  readonly file: AsyncIterable<Uint8Array>;
}

/** @throws S3Error MalformedPOSTRequest, MaxPostPreDataLengthExceeded, InvalidArgument if there is no file */
export async function readForm(incoming: AsyncIterable<Uint8Array>, boundary: string): Promise<UploadForm> {
  const bytes = new FormReader(incoming);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const fields = new Map<string, Buffer>();
  await bytes.readUntil(delimiter);
  for (;;) {
    const lineEnd = (await bytes.readUntil(Buffer.from('\r\n'))).toString('latin1').trim();
    if (lineEnd === '--') {
      throw invalidArgument('POST requires exactly one file upload per request.', 'file', '0');
    }
    const headers = (await bytes.readUntil(Buffer.from('\r\n\r\n'))).toString('utf8');
    const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1] ?? '';
    const name = parameter(disposition, 'name')?.toLowerCase();
    if (name === undefined) throw malformed('a part of the form has no name');
    if (name === 'file') {
      return {
        fields,
        fileName: parameter(disposition, 'filename') ?? '',
        file: bytes.streamUntil(delimiter),
      };
    }
    fields.set(name, await bytes.readUntil(delimiter));
  }
}

/** A parameter of `Content-Disposition`, in the encoding of browsers. */
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return found?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

/** Splits a byte stream at delimiters. */
class FormReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  // A line break before the first boundary, so that every boundary has one.
  #buffered: Buffer = Buffer.from('\r\n');
  #consumed = 0;

  constructor(incoming: AsyncIterable<Uint8Array>) {
    this.#pieces = incoming[Symbol.asyncIterator]();
  }

  /** Reads up to a delimiter, and skips the delimiter. */
  async readUntil(delimiter: Buffer): Promise<Buffer> {
    for (;;) {
      const at = this.#buffered.indexOf(delimiter);
      if (
        this.#consumed + Math.max(at, 0) > MAX_FIELDS_BYTES ||
        (at < 0 && this.#buffered.length > MAX_FIELDS_BYTES)
      ) {
        throw new S3Error(
          'MaxPostPreDataLengthExceeded',
          'Your POST request fields preceding the upload file were too large.',
        );
      }
      if (at >= 0) {
        const before = Buffer.from(this.#buffered.subarray(0, at));
        this.#buffered = this.#buffered.subarray(at + delimiter.length);
        this.#consumed += at + delimiter.length;
        return before;
      }
      if (!(await this.#more())) throw malformed('it ends before its file');
    }
  }

  /** Streams the bytes before a delimiter. */
  async *streamUntil(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#buffered.indexOf(delimiter);
      if (at >= 0) {
        if (at > 0) yield this.#buffered.subarray(0, at);
        return;
      }
      // The delimiter may start at the end of the buffered bytes.
      const safe = this.#buffered.length - delimiter.length + 1;
      if (safe > 0) {
        yield this.#buffered.subarray(0, safe);
        this.#buffered = this.#buffered.subarray(safe);
      }
      if (!(await this.#more())) throw malformed('it ends in the middle of its file');
    }
  }

  async #more(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (next.done === true) return false;
    this.#buffered = Buffer.concat([this.#buffered, next.value]);
    return true;
  }
}

function malformed(what: string): S3Error {
  return new S3Error(
    'MalformedPOSTRequest',
    `The body of your POST request is not well-formed multipart/form-data: ${what}.`,
  );
}
