/**
 * The bytes of a request or of a copy, measured as they pass and compared with what their sender declared.
 *
 * SDKs that compute a checksum while they send use the encoding `aws-chunked`, which is decoded here:
 *
 * ```
 * 10000\r\n                              size in hex
 * 65,536 bytes\r\n
 * 0\r\n                                  the last chunk is empty
 * x-amz-checksum-crc32c:sOO8/Q==\r\n     trailers, if declared
 * \r\n
 * ```
 */
import { createHash } from 'node:crypto';
import {
  CHECKSUM_ALGORITHMS,
  type Checksum,
  type ChecksumAlgorithm,
  checksumHeader,
  endDigest,
  startDigest,
} from './checksums.ts';
import { invalidRequest, malformedXml, notImplemented, S3Error } from './errors.ts';
import type { S3Request } from './request.ts';
import { parseXml, type XmlElement } from './xml.ts';

/** Maximum bytes of one request's body and of one copy, inclusive: 5 GiB. */
export const MAX_BODY_BYTES = 5 * 2 ** 30;
/** Fits 1,000 keys of maximum length with every byte as a character reference, and 10,000 parts. */
const MAX_DOCUMENT_BYTES = 8 * 2 ** 20;
/** Maximum length of a line between chunks: a size, or one trailer. */
const MAX_LINE_BYTES = 4096;
const SHA256 = /^[0-9a-f]{64}$/;

/** What a sender declares about bytes. */
interface Declared {
  readonly algorithm?: ChecksumAlgorithm;
  /** The checksum; known at the end, as it may come in a trailer. */
  readonly checksum?: () => string | undefined;
  readonly md5?: string;
  readonly sha256?: string;
}

/** Forwards a stream, once, and measures it; iteration throws, at the latest at the end, if the bytes are not as declared. */
export class MeasuredBytes implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #declared: Declared;
  #content: StoredContent | undefined;

  constructor(source: AsyncIterable<Uint8Array>, declared: Declared) {
    this.#source = source;
    this.#declared = declared;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { algorithm, checksum: declaredChecksum, md5: declaredMd5, sha256: declaredHash } = this.#declared;
    const md5 = createHash('md5');
    const sha256 = declaredHash === undefined ? undefined : createHash('sha256');
    const digest = algorithm && startDigest(algorithm);
    let bytes = 0;
    for await (const piece of this.#source) {
      bytes += piece.length;
      md5.update(piece);
      sha256?.update(piece);
      digest?.update(piece);
      yield piece;
    }
    if (sha256 !== undefined && sha256.digest('hex') !== declaredHash) {
      const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
      throw new S3Error(400, 'XAmzContentSHA256Mismatch', message);
    }
    const value = digest && (await endDigest(digest));
    if (declaredChecksum !== undefined && declaredChecksum() !== value) {
      throw badDigest(`The ${algorithm} you specified did not match the calculated checksum.`);
    }
    const etag = md5.digest('hex');
    if (declaredMd5 !== undefined && declaredMd5 !== etag) {
      throw badDigest('The Content-MD5 you specified did not match what we received.');
    }
    this.#content = { bytes, etag, ...(algorithm && value && { checksum: { algorithm, value } }) };
  }

  /** To be called after the stream has been read completely. */
  get content(): StoredContent {
    if (this.#content === undefined) throw new Error('the stream has not been read to its end');
    return this.#content;
  }
}

/** What is stored of the bytes of an object or a part. */
export interface StoredContent {
  readonly bytes: number;
  /** MD5 in hex, without quotes; of an object in parts, another text. */
  readonly etag: string;
  readonly checksum?: Checksum;
}

export function badDigest(message: string): S3Error {
  return new S3Error(400, 'BadDigest', message);
}

/** A request with the raw bytes of its body, which are read once. */
export interface RawBody {
  readonly request: S3Request;
  readonly incoming: AsyncIterable<Uint8Array>;
  /** As the signature says. */
  readonly payloadHash: string;
}

/** The decoded body of a request. @throws S3Error for contradictory headers */
export function bodyOf({ request, incoming, payloadHash }: RawBody): MeasuredBytes {
  const algorithm = declaredAlgorithm(request);
  const header = algorithm && checksumHeader(algorithm);
  const sent = header && request.headers.get(header);
  const trailers = new Map<string, string>();
  return new MeasuredBytes(payloadOf(request, incoming, payloadHash, trailers), {
    algorithm,
    checksum: header === undefined ? undefined : () => sent ?? trailers.get(header),
    md5: declaredMd5(request),
    sha256: SHA256.test(payloadHash) ? payloadHash : undefined,
  });
}

function payloadOf(
  request: S3Request,
  incoming: AsyncIterable<Uint8Array>,
  payloadHash: string,
  trailers: Map<string, string>,
): AsyncIterable<Uint8Array> {
  if (payloadHash === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') {
    const decodedLength = declaredLength(request, 'x-amz-decoded-content-length');
    return decodeChunks(incoming, decodedLength, trailerNames(request), trailers);
  }
  if (!SHA256.test(payloadHash) && payloadHash !== 'UNSIGNED-PAYLOAD') {
    throw notImplemented(`x-amz-content-sha256: ${payloadHash}`);
  }
  // In HTTP, a request without length and transfer coding has no body.
  if (request.headers.has('content-length')) declaredLength(request, 'content-length');
  else if (request.headers.has('transfer-encoding')) throw notImplemented('the header Transfer-Encoding');
  return incoming;
}

/** The checksum that a client sends with a body. @throws S3Error InvalidRequest */
function declaredAlgorithm(request: S3Request): ChecksumAlgorithm | undefined {
  const trailers = trailerNames(request);
  const declared = CHECKSUM_ALGORITHMS.filter((algorithm) => {
    const header = checksumHeader(algorithm);
    return request.headers.has(header) || trailers.includes(header);
  });
  if (declared.length > 1) {
    throw invalidRequest(
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  }
  if (declared.length === 0 && request.headers.has('x-amz-sdk-checksum-algorithm')) {
    throw invalidRequest(
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
  return declared[0];
}

/** Declared trailers, which must be checksums. */
function trailerNames({ headers }: S3Request): string[] {
  const names = (headers.get('x-amz-trailer') ?? '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const known = CHECKSUM_ALGORITHMS.map(checksumHeader);
  if (names.every((name) => known.includes(name))) return names;
  throw invalidRequest('The value specified in the x-amz-trailer header is not supported');
}

/** In hex. */
function declaredMd5({ headers }: S3Request): string | undefined {
  const header = headers.get('content-md5');
  if (header === undefined) return undefined;
  const bytes = Buffer.from(header, 'base64');
  if (bytes.length === 16 && bytes.toString('base64') === header) return bytes.toString('hex');
  throw new S3Error(400, 'InvalidDigest', 'The Content-MD5 you specified was invalid.');
}

function declaredLength({ headers }: S3Request, header: string): number {
  const text = headers.get(header);
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    throw new S3Error(411, 'MissingContentLength', `You must provide the ${header} HTTP header.`);
  }
  if (Number(text) <= MAX_BODY_BYTES) return Number(text);
  throw new S3Error(400, 'EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size');
}

/**
 * Yields the data of the chunks, and adds the trailers to `trailers` at the end.
 *
 * @throws S3Error IncompleteBody, InvalidRequest
 */
export async function* decodeChunks(
  body: AsyncIterable<Uint8Array>,
  decodedLength: number,
  declared: readonly string[],
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  /** Received and not yet read. */
  let rest: Buffer = Buffer.alloc(0);
  const receive = async () => {
    const { done, value } = await source.next();
    if (done === true) throw incomplete('The body ended in the middle of a chunk');
    rest = Buffer.concat([rest, value]);
  };
  const take = (count: number) => {
    const taken = rest.subarray(0, count);
    rest = rest.subarray(taken.length);
    return taken;
  };
  const readLine = async () => {
    while (rest.indexOf('\r\n') < 0) {
      if (rest.length > MAX_LINE_BYTES) throw malformed('a line is too long');
      await receive();
    }
    const line = take(rest.indexOf('\r\n')).toString('latin1');
    take(2);
    return line.trim();
  };
  try {
    let left = decodedLength;
    for (;;) {
      const size = await readLine();
      if (!/^[\da-f]{1,12}$/i.test(size)) throw malformed('expected the size of a chunk in hexadecimal');
      let bytes = Number.parseInt(size, 16);
      left -= bytes;
      if (left < 0 || (bytes === 0 && left > 0)) {
        throw incomplete('The chunks do not have the length x-amz-decoded-content-length');
      }
      if (bytes === 0) break;
      while (bytes > 0) {
        if (rest.length === 0) await receive();
        const piece = take(bytes);
        bytes -= piece.length;
        yield piece;
      }
      if ((await readLine()) !== '') throw malformed('a chunk is longer than its size');
    }
    for (let line = await readLine(); line !== ''; line = await readLine()) {
      const [, name = '', value = ''] = /^([^:]*?)\s*:\s*(.*)$/.exec(line) ?? [];
      if (!declared.includes(name.toLowerCase())) throw malformed('a trailer was not declared');
      trailers.set(name.toLowerCase(), value);
    }
    if (!declared.every((name) => trailers.has(name))) throw malformed('a declared trailer is missing');
  } finally {
    // Others then drain the connection.
    await source.return?.();
  }
}

function malformed(what: string): S3Error {
  return invalidRequest(`The aws-chunked body is malformed: ${what}`);
}

export function incomplete(message: string): S3Error {
  return new S3Error(400, 'IncompleteBody', message);
}

/** Reads a whole body as text. @throws S3Error MaxMessageLengthExceeded, and as `bodyOf` does */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  maxBytes = MAX_DOCUMENT_BYTES,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new S3Error(400, 'MaxMessageLengthExceeded', 'Your request was too big.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Parses a document with the given root element. @throws S3Error MalformedXML */
export function parseDocument(text: string, rootName: string): XmlElement {
  try {
    const root = parseXml(text);
    if (root.name === rootName) return root;
    throw new SyntaxError(`found <${root.name}>`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw malformedXml(`The XML you provided was not well-formed: expected <${rootName}>: ${error.message}`);
  }
}
