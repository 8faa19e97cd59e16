/** The decoded body of a request, checked against the request's headers. */

import { createHash } from 'node:crypto';
import {
  CHECKSUM_ALGORITHMS,
  CHECKSUM_BYTES,
  type Checksum,
  type ChecksumAlgorithm,
  checksumHeader,
} from '../../storage/checksums.ts';
import { fullChecksum, MeasuredBytes } from '../../storage/measured-bytes.ts';
import type { VerifiedSignature } from '../auth/signature.ts';
import { S3Error, UNSUPPORTED_HEADER } from '../errors.ts';
import type { S3Request } from '../request.ts';
import { decodeChunkedBody } from './chunked-body.ts';

/** Maximum bytes of one request's body, inclusive: 5 GiB. */
export const MAX_BODY_BYTES = 5 * 2 ** 30;

/** Measurements of a body that was read and verified. */
export interface BodyFacts {
  readonly bytes: number;
  readonly md5: Buffer;
  /** The checksum that the client sent, or that the caller requested. */
  readonly checksum: Checksum | undefined;
}

export interface BodyChecks {
  /** A checksum to compute even if the client sends none. */
  readonly compute?: ChecksumAlgorithm;
  /** The `x-amz-checksum-*` headers describe the resulting object, not this body. */
  readonly checksumCoversObject?: boolean;
}

/** A body that is read once, from start to end. */
export interface BodyReader {
  /**
   * The data; iteration throws, at the latest at the end, if the body does not match its headers.
   *
   * @throws S3Error immediately for contradictory headers
   */
  data(checks?: BodyChecks): AsyncIterable<Uint8Array>;
  /** To be called after `data` has ended. */
  facts(): BodyFacts;
}

/** Decodes and verifies the body that an operation reads. */
export class RequestBody implements BodyReader {
  readonly #request: S3Request;
  readonly #incoming: AsyncIterable<Uint8Array>;
  readonly #signature: VerifiedSignature;
  #facts: BodyFacts | undefined;

  /** @param incoming the raw bytes, read when `data` is read */
  constructor(request: S3Request, incoming: AsyncIterable<Uint8Array>, signature: VerifiedSignature) {
    this.#request = request;
    this.#incoming = incoming;
    this.#signature = signature;
  }

  data({ compute, checksumCoversObject = false }: BodyChecks = {}): AsyncIterable<Uint8Array> {
    const trailers = new Map<string, string>();
    const expected = checksumCoversObject ? undefined : declaredChecksum(this.#request);
    const contentMd5 = declaredMd5(this.#request);
    const payload = this.#payload(trailers);
    return this.#checked(payload, trailers, expected, contentMd5, compute);
  }

  facts(): BodyFacts {
    if (this.#facts === undefined) throw new Error('the body has not been read to its end');
    return this.#facts;
  }

  #payload(trailers: Map<string, string>): AsyncIterable<Uint8Array> {
    const { payloadHash } = this.#signature;
    if (/^[0-9a-f]{64}$/.test(payloadHash) || payloadHash === 'UNSIGNED-PAYLOAD') {
      declaredLength(this.#request, 'content-length');
      return this.#incoming;
    }
    const signed = /^STREAMING-AWS4-HMAC-SHA256-PAYLOAD(-TRAILER)?$/.test(payloadHash);
    if (!signed && payloadHash !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') {
      throw new S3Error('NotImplemented', `x-amz-content-sha256: ${payloadHash} is not implemented`);
    }
    const options = {
      decodedLength: declaredLength(this.#request, 'x-amz-decoded-content-length'),
      signature: signed ? this.#signature : undefined,
      trailerNames: trailerNames(this.#request),
    };
    return decodeChunkedBody(this.#incoming, options, trailers);
  }

  async *#checked(
    payload: AsyncIterable<Uint8Array>,
    trailers: ReadonlyMap<string, string>,
    expected: DeclaredChecksum | undefined,
    contentMd5: Buffer | undefined,
    wanted: ChecksumAlgorithm | undefined,
  ): AsyncGenerator<Uint8Array> {
    const sha256 = /^[0-9a-f]{64}$/.test(this.#signature.payloadHash) ? createHash('sha256') : undefined;
    const algorithms = [expected?.algorithm, wanted].filter((name) => name !== undefined);
    const measured = new MeasuredBytes(payload, algorithms);
    for await (const piece of measured) {
      sha256?.update(piece);
      yield piece;
    }
    const measure = measured.measure();
    if (sha256 !== undefined) checkSha256(sha256.digest('hex'), this.#signature.payloadHash);
    if (expected !== undefined) checkChecksum(expected, trailers, measure.checksums.get(expected.algorithm));
    if (contentMd5 !== undefined && !contentMd5.equals(measure.md5)) {
      throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.', {
        fields: {
          ExpectedDigest: contentMd5.toString('hex'),
          CalculatedDigest: measure.md5.toString('base64'),
        },
      });
    }
    const checksum = fullChecksum(measure, wanted ?? expected?.algorithm);
    this.#facts = { bytes: measure.bytes, md5: measure.md5, checksum };
  }
}

interface DeclaredChecksum {
  readonly algorithm: ChecksumAlgorithm;
  /** `undefined` if it comes in a trailer. */
  readonly value: string | undefined;
}

/** The checksum that a client sends with a body. @throws S3Error InvalidRequest */
export function declaredChecksum(request: S3Request): DeclaredChecksum | undefined {
  const trailers = trailerNames(request);
  const declared: DeclaredChecksum[] = [];
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const value = request.headers.get(checksumHeader(algorithm));
    if (value !== undefined) declared.push({ algorithm, value });
    if (trailers.includes(checksumHeader(algorithm))) declared.push({ algorithm, value: undefined });
  }
  if (declared.length > 1) {
    throw new S3Error(
      'InvalidRequest',
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  }
  for (const { algorithm, value } of declared) if (value !== undefined) checkValue(algorithm, value);
  const named = request.headers.get('x-amz-sdk-checksum-algorithm');
  if (named !== undefined && declared.length === 0) {
    throw new S3Error(
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.',
    );
  }
  return declared[0];
}

/** @throws S3Error InvalidRequest if it is not a checksum of that algorithm */
function checkValue(algorithm: ChecksumAlgorithm, value: string): void {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === CHECKSUM_BYTES[algorithm] && bytes.toString('base64') === value) return;
  throw new S3Error('InvalidRequest', `Value for ${checksumHeader(algorithm)} header is invalid.`);
}

/** Declared trailers, which must be checksums. */
function trailerNames(request: S3Request): string[] {
  const names = (request.headers.get('x-amz-trailer') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const known = CHECKSUM_ALGORITHMS.map(checksumHeader);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new S3Error('InvalidRequest', 'The value specified in the x-amz-trailer header is not supported', {
    fields: { Trailer: unknown },
  });
}

function declaredMd5(request: S3Request): Buffer | undefined {
  const header = request.headers.get('content-md5');
  if (header === undefined) return undefined;
  const bytes = Buffer.from(header, 'base64');
  if (bytes.length === 16 && bytes.toString('base64') === header) return bytes;
  throw new S3Error('InvalidDigest', 'The Content-MD5 you specified was invalid.', {
    fields: { 'Content-MD5': header },
  });
}

function declaredLength(request: S3Request, header: string): number {
  const text = request.headers.get(header);
  // In HTTP, a request without length and transfer coding has no body.
  if (text === undefined && header === 'content-length') {
    if (!request.headers.has('transfer-encoding')) return 0;
    throw new S3Error('NotImplemented', UNSUPPORTED_HEADER, { fields: { Header: 'Transfer-Encoding' } });
  }
  if (text === undefined || !/^\d{1,15}$/.test(text)) {
    throw new S3Error('MissingContentLength', `You must provide the ${header} HTTP header.`);
  }
  const bytes = Number(text);
  if (bytes <= MAX_BODY_BYTES) return bytes;
  throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
    fields: { ProposedSize: text, MaxSizeAllowed: String(MAX_BODY_BYTES) },
  });
}

function checkSha256(computed: string, declared: string): void {
  if (computed === declared) return;
  throw new S3Error(
    'XAmzContentSHA256Mismatch',
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
    { fields: { ClientComputedContentSHA256: declared, S3ComputedContentSHA256: computed } },
  );
}

function checkChecksum(
  expected: DeclaredChecksum,
  trailers: ReadonlyMap<string, string>,
  computed: string | undefined,
): void {
  const value = expected.value ?? trailers.get(checksumHeader(expected.algorithm));
  if (value === computed) return;
  throw new S3Error(
    'BadDigest',
    `The ${expected.algorithm} you specified did not match the calculated checksum.`,
  );
}

/** Reads a whole body as text. @throws S3Error MaxMessageLengthExceeded past `maxBytes`, and as `data` does */
export async function readBodyText(body: BodyReader, maxBytes: number, checks?: BodyChecks): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body.data(checks)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new S3Error('MaxMessageLengthExceeded', 'Your request was too big.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
