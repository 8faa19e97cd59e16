/**
 * The form of a POST upload (`multipart/form-data`, RFC 7578), read from front to back: small fields first, then the
 * file, which is passed on as it comes. What follows the file is not read.
 *
 *     --boundary CRLF headers CRLF CRLF value CRLF --boundary CRLF ... CRLF --boundary--
 */
import { S3Error } from '../errors.ts';

/** Most bytes of all fields before the file, inclusive. */
const MAX_FIELDS_BYTES = 20_000;

/** A form up to its file. */
export interface UploadForm {
  /** Values as they came, by names in lower case. */
  readonly fields: ReadonlyMap<string, Buffer>;
  /** Name that the client gives the file; empty where it gives none. */
  readonly fileName: string;
  /** The file's bytes, to be read once. @throws S3Error while iterating, where the form ends too early */
  readonly file: AsyncIterable<Uint8Array>;
}

/** @throws S3Error MalformedPOSTRequest, MaxPostPreDataLengthExceeded, InvalidArgument where there is no file */
export async function readForm(incoming: AsyncIterable<Uint8Array>, boundary: string): Promise<UploadForm> {
  const bytes = new FormReader(incoming);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const fields = new Map<string, Buffer>();
  await bytes.readUntil(delimiter);
  for (;;) {
    const lineEnd = (await bytes.readUntil(Buffer.from('\r\n'))).toString('latin1').trim();
    if (lineEnd === '--') {
      throw new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.', {
        fields: { ArgumentName: 'file', ArgumentValue: '0' },
      });
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

/** A parameter of `Content-Disposition`, as browsers write it. */
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return found?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

/** Bytes that come in pieces, cut at delimiters. */
class FormReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  // As if a line ended before the first boundary, so that all boundaries look alike.
  #held: Buffer = Buffer.from('\r\n');
  #taken = 0;

  constructor(incoming: AsyncIterable<Uint8Array>) {
    this.#pieces = incoming[Symbol.asyncIterator]();
  }

  /** The bytes before a delimiter, which is passed over. */
  async readUntil(delimiter: Buffer): Promise<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(delimiter);
      if (
        this.#taken + Math.max(at, 0) > MAX_FIELDS_BYTES ||
        (at < 0 && this.#held.length > MAX_FIELDS_BYTES)
      ) {
        throw new S3Error(
          'MaxPostPreDataLengthExceeded',
          'Your POST request fields preceding the upload file were too large.',
        );
      }
      if (at >= 0) {
        const before = Buffer.from(this.#held.subarray(0, at));
        this.#held = this.#held.subarray(at + delimiter.length);
        this.#taken += at + delimiter.length;
        return before;
      }
      if (!(await this.#more())) throw malformed('it ends before its file');
    }
  }

  /** The bytes before a delimiter, as they come. */
  async *streamUntil(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#held.indexOf(delimiter);
      if (at >= 0) {
        if (at > 0) yield this.#held.subarray(0, at);
        return;
      }
      // The end of what is held may be the beginning of the delimiter.
      const certain = this.#held.length - delimiter.length + 1;
      if (certain > 0) {
        yield this.#held.subarray(0, certain);
        this.#held = this.#held.subarray(certain);
      }
      if (!(await this.#more())) throw malformed('it ends in the middle of its file');
    }
  }

  async #more(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (next.done === true) return false;
    this.#held = Buffer.concat([this.#held, next.value]);
    return true;
  }
}

function malformed(what: string): S3Error {
  return new S3Error(
    'MalformedPOSTRequest',
    `The body of your POST request is not well-formed multipart/form-data: ${what}.`,
  );
}
