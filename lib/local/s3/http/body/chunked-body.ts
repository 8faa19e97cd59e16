/**
 * The `aws-chunked` body that SDKs send when they compute checksum or signatures while sending:
 *
 * ```
 * 10000;chunk-signature=ad80...\r\n      size in hex; signature only in a signed stream
 * 65,536 bytes\r\n
 * 0;chunk-signature=b6c6...\r\n          the last chunk is empty
 * x-amz-checksum-crc32c:sOO8/Q==\r\n     trailers, if declared
 * x-amz-trailer-signature:d81f...\r\n    only in a signed stream
 * \r\n
 * ```
 *
 * Each signature covers the previous one, the first one that of the request, so no chunk can be dropped, moved or
 * replaced. Data is yielded before its signature is checked; the caller must discard the data of a stream that throws.
 *
 * Source: Amazon S3 API Reference, "Signature Calculations for the Authorization Header", streaming variants.
 */

import { createHash, type Hash } from 'node:crypto';
import { equalsInConstantTime, hmacHex, type VerifiedSignature } from '../auth/signature.ts';
import { S3Error } from '../errors.ts';
import { ByteReader } from './byte-reader.ts';

/** Maximum length of a line between chunks: a size and a signature, or one trailer. */
const MAX_LINE_BYTES = 4096;
const MAX_TRAILERS = 16;
const EMPTY_SHA256 = createHash('sha256').digest('hex');

export interface ChunkedBodyOptions {
  /** Data bytes, as declared by `x-amz-decoded-content-length`. */
  readonly decodedLength: number;
  /** The signature that the chunks are chained to; `undefined` if chunks are unsigned. */
  readonly signature: VerifiedSignature | undefined;
  /** Trailer names declared by `x-amz-trailer`, in lower case. */
  readonly trailerNames: readonly string[];
}

/**
 * Yields the data of the chunks, and adds the trailers to `trailers` at the end.
 *
 * @throws S3Error IncompleteBody, SignatureDoesNotMatch, InvalidRequest
 */
export async function* decodeChunkedBody(
  body: AsyncIterable<Uint8Array>,
  options: ChunkedBodyOptions,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(
    body,
    () => new S3Error('IncompleteBody', 'The body ended in the middle of a chunk'),
  );
  try {
    const chain = options.signature === undefined ? undefined : new SignatureChain(options.signature);
    yield* readChunks(reader, options.decodedLength, chain);
    await readTrailers(reader, options.trailerNames, chain, trailers);
  } finally {
    await reader.close();
  }
}

async function* readChunks(
  reader: ByteReader,
  decodedLength: number,
  chain: SignatureChain | undefined,
): AsyncGenerator<Uint8Array> {
  let decoded = 0;
  for (;;) {
    const { bytes, signature } = parseChunkLine(await reader.line(MAX_LINE_BYTES));
    decoded += bytes;
    if (decoded > decodedLength) throw wrongLength(`at least ${decoded}`, decodedLength);
    for await (const piece of reader.bytes(bytes)) {
      chain?.update(piece);
      yield piece;
    }
    if (bytes > 0 && (await reader.line(0)) !== '')
      throw malformed('a chunk is longer than its declared size');
    chain?.endChunk(signature);
    if (bytes === 0) break;
  }
  if (decoded !== decodedLength) throw wrongLength(String(decoded), decodedLength);
}

function parseChunkLine(line: string): { bytes: number; signature: string | undefined } {
  const match = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(line.trim());
  if (match === null) throw malformed(`expected a chunk's size in hexadecimal, found "${line.slice(0, 80)}"`);
  return { bytes: Number.parseInt(match[1]!, 16), signature: match[2] };
}

async function readTrailers(
  reader: ByteReader,
  declared: readonly string[],
  chain: SignatureChain | undefined,
  trailers: Map<string, string>,
): Promise<void> {
  let signed = '';
  let signature: string | undefined;
  for (let count = 0; count <= MAX_TRAILERS; count++) {
    const line = (await reader.line(MAX_LINE_BYTES)).trim();
    if (line === '') break;
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (name === 'x-amz-trailer-signature') signature = value;
    else if (!declared.includes(name)) throw malformed(`the trailer "${line.slice(0, 80)}" was not declared`);
    else {
      signed += `${name}:${value}\n`;
      trailers.set(name, value);
    }
  }
  const missing = declared.filter((name) => !trailers.has(name));
  if (missing.length > 0) throw malformed(`the trailer ${missing.join(', ')} was declared but is missing`);
  if (chain !== undefined && declared.length > 0) chain.endTrailers(signed, signature);
}

/** Verifies the chain of chunk signatures. */
class SignatureChain {
  readonly #first: VerifiedSignature;
  #previous: string;
  #hash: Hash = createHash('sha256');

  constructor(first: VerifiedSignature) {
    this.#first = first;
    this.#previous = first.signature;
  }

  update(piece: Uint8Array): void {
    this.#hash.update(piece);
  }

  endChunk(signature: string | undefined): void {
    this.#check('AWS4-HMAC-SHA256-PAYLOAD', [EMPTY_SHA256, this.#hash.digest('hex')], signature);
    this.#hash = createHash('sha256');
  }

  endTrailers(trailers: string, signature: string | undefined): void {
    const hash = createHash('sha256').update(trailers).digest('hex');
    this.#check('AWS4-HMAC-SHA256-TRAILER', [hash], signature);
  }

  #check(algorithm: string, hashes: readonly string[], signature: string | undefined): void {
    const { timestamp, scope, signingKey } = this.#first;
    const text = [algorithm, timestamp, scope, this.#previous, ...hashes].join('\n');
    const expected = hmacHex(signingKey, text);
    if (signature === undefined || !equalsInConstantTime(expected, signature)) {
      throw new S3Error('SignatureDoesNotMatch', 'The signature of a chunk does not match its data', {
        fields: { StringToSign: text, SignatureProvided: signature ?? '' },
      });
    }
    this.#previous = expected;
  }
}

function malformed(what: string): S3Error {
  return new S3Error('InvalidRequest', `The aws-chunked body is malformed: ${what}`);
}

function wrongLength(found: string, expected: number): S3Error {
  return new S3Error(
    'IncompleteBody',
    `x-amz-decoded-content-length is ${expected} bytes, but the chunks have ${found}`,
  );
}
