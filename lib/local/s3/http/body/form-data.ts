/**
 * The form of a POST upload (`multipart/form-data`, RFC 7578), read from start to end: small fields first, then the
 * file as a stream. Fields after the file are not read.
 *
 *     --boundary CRLF headers CRLF CRLF value CRLF --boundary CRLF ... CRLF --boundary--
 */
import { invalidArgument, S3Error } from '../errors.ts';
import { ByteReader } from './byte-reader.ts';

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
  // A line break before the first boundary, so that every boundary has one.
  const bytes = new ByteReader(incoming, () => malformed('it ends before its file does'), '\r\n');
  let remaining = MAX_FIELDS_BYTES;
  const readUntil = async (end: Buffer) => {
    const read = await bytes.until(
      end,
      remaining,
      () =>
        new S3Error(
          'MaxPostPreDataLengthExceeded',
          'Your POST request fields preceding the upload file were too large.',
        ),
    );
    remaining -= read.length + end.length;
    return read;
  };
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const fields = new Map<string, Buffer>();
  await readUntil(delimiter);
  for (;;) {
    const lineEnd = (await readUntil(Buffer.from('\r\n'))).toString('latin1').trim();
    if (lineEnd === '--') {
      throw invalidArgument('POST requires exactly one file upload per request.', 'file', '0');
    }
    const headers = (await readUntil(Buffer.from('\r\n\r\n'))).toString('utf8');
    const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1] ?? '';
    const name = parameter(disposition, 'name')?.toLowerCase();
    if (name === undefined) throw malformed('a part of the form has no name');
    if (name === 'file') {
      return {
        fields,
        fileName: parameter(disposition, 'filename') ?? '',
        file: bytes.bytesUntil(delimiter),
      };
    }
    fields.set(name, await readUntil(delimiter));
  }
}

/** A parameter of `Content-Disposition`, in the encoding of browsers. */
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return found?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

function malformed(what: string): S3Error {
  return new S3Error(
    'MalformedPOSTRequest',
    `The body of your POST request is not well-formed multipart/form-data: ${what}.`,
  );
}
