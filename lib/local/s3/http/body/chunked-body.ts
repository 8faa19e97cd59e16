/**
 * The `aws-chunked` body that SDKs send when the checksum or the signatures are only known on the way:
 *
 * ```
 * 10000;chunk-signature=ad80...\r\n      size in hex; the signature only where the stream is signed
 * 65,536 bytes\r\n
 * 0;chunk-signature=b6c6...\r\n          the last chunk is empty
 * x-amz-checksum-crc32c:sOO8/Q==\r\n     trailers, if announced
 * x-amz-trailer-signature:d81f...\r\n    only where the stream is signed
 * \r\n
 * ```
 *
 * Each signature covers the one before it, the first one that of the request, so no chunk can be dropped, moved
 * or exchanged. Data is handed on before its signature can be checked; the caller keeps nothing of a stream
 * that ends in an error.
 *
 * Source: Amazon S3 API Reference, "Signature Calculations for the Authorization Header", streaming variants.
 */

import { createHash, type Hash } from 'node:crypto';
import { equalsInConstantTime, hmacHex, type VerifiedSignature } from '../auth/signature.ts';
import { S3Error } from '../errors.ts';
import { ByteReader } from './byte-reader.ts';

/** Longest line between chunks: a size and a signature, or one trailer. */
const MAX_LINE_BYTES = 4096;
const MAX_TRAILERS = 16;
const SHA256_OF_NOTHING = createHash('sha256').digest('hex');

/** How a chunked body is to be read. */
export interface ChunkedBodyOptions {
  /** Bytes of data that `x-amz-decoded-content-length` announces. */
  readonly decodedLength: number;
  /** The signature that the chunks are chained to; `undefined` where chunks carry none. */
  readonly signature: VerifiedSignature | undefined;
  /** Names of the trailers that `x-amz-trailer` announces, in lower case. */
  readonly trailerNames: readonly string[];
}

/**
 * Hands on the data of the chunks, and puts the trailers into `trailers` at the end.
 *
 * @throws S3Error IncompleteBody, SignatureDoesNotMatch, InvalidRequest
 */
export async function* decodeChunkedBody(
  body: AsyncIterable<Uint8Array>,
  options: ChunkedBodyOptions,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const reader = new ByteReader(body);
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
    if (bytes > 0 && (await reader.line(0)) !== '') throw malformed('a chunk is longer than its size says');
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
  announced: readonly string[],
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
    else if (!announced.includes(name))
      throw malformed(`the trailer "${line.slice(0, 80)}" was not announced`);
    else {
      signed += `${name}:${value}\n`;
      trailers.set(name, value);
    }
  }
  const missing = announced.filter((name) => !trailers.has(name));
  if (missing.length > 0) throw malformed(`the trailer ${missing.join(', ')} was announced and did not come`);
  if (chain !== undefined && announced.length > 0) chain.endTrailers(signed, signature);
}

/** Checks each signature against the one before it. */
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
    this.#check('AWS4-HMAC-SHA256-PAYLOAD', [SHA256_OF_NOTHING, this.#hash.digest('hex')], signature);
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
    `x-amz-decoded-content-length says ${expected} bytes, the chunks hold ${found}`,
  );
}
