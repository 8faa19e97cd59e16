/**
 * Uploads a puzzle file with its options.
 *
 * Each PUT makes a version, and each version is a job. So a PUT whose response is lost is not repeated blindly: the
 * object has a token in its metadata, by which the uploader recognises it, and each PUT has the condition that the object
 * did not change, so that a PUT that arrives late has no effect. A multipart upload can be completed only once.
 */
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
  type S3,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { OPTION_METADATA_PREFIX } from '../batch/names.ts';
import type { OptionTexts } from '../batch/options.ts';
import { RestartError, Retries } from './retries.ts';
import { statusOf } from './store-errors.ts';
import { ForeignAnswerError } from './transient-errors.ts';

export interface UploadSettings {
  /** Further metadata: names in lower case, without the prefix of options. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Size of the body, if known: a large one needs larger parts. */
  readonly bytes?: number;
  /** Called with the number of bytes uploaded so far. */
  readonly onSent?: (bytes: number) => void;
  /** Repeats requests; their signal aborts the upload, and its parts are removed before it throws. */
  readonly retries?: Retries;
  /** Identifies this upload among the versions of the key. @default its object is not recognised */
  readonly token?: string;
  /** ETag of the object that is replaced; null if there is none. @default it is read first */
  readonly replacedEtag?: string | null;
}

/** Metadata key of the token of an upload. */
export const TOKEN_METADATA = 'upload-token';

/** Size of a part; 10,000 parts limit a body of unknown size to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;
/** Time for the removal of parts. */
const CLEAN_UP_MS = 5_000;

/** An upload that failed and whose parts could not be removed. */
export class PartsLeftError extends Error {
  override readonly name = 'PartsLeftError';
  readonly bucket: string;
  readonly uploadId: string;

  /** @param cause why the upload failed */
  constructor(bucket: string, uploadId: string, cause: unknown) {
    super('parts of a failed upload are left', { cause });
    this.bucket = bucket;
    this.uploadId = uploadId;
  }
}

/**
 * Uploads an object, in parts if it is large.
 *
 * @param options stored as object metadata
 * @returns the new version's id; undefined for a bucket without versions
 * @throws PartsLeftError if it failed and its parts could not be removed
 */
export async function uploadObject(
  s3: S3,
  bucket: string,
  key: string,
  body: Readable | Uint8Array,
  options: OptionTexts,
  settings: UploadSettings = {},
): Promise<string | undefined> {
  const { metadata = {}, bytes = 0, onSent, retries = new Retries(), token } = settings;
  const optionMetadata = Object.entries(options).map(([name, text]) => [
    `${OPTION_METADATA_PREFIX}${name}`,
    text,
  ]);
  const { signal } = retries;
  const requests = new UploadRequests(s3, retries, settings);
  const upload = new Upload({
    client: requests.client,
    params: {
      Bucket: bucket,
      Key: key,
      Body: body,
      Metadata: {
        ...metadata,
        ...(token !== undefined && { [TOKEN_METADATA]: token }),
        ...Object.fromEntries(optionMetadata),
      },
    },
    partSize: Math.max(PART_BYTES, Math.ceil(bytes / MAX_PARTS)),
  });
  if (onSent !== undefined) upload.on('httpUploadProgress', ({ loaded = 0 }) => onSent(loaded));
  // `Upload.abort` does not wait for the removal of the parts; after an error of the body, `done` does.
  const end = () => {
    if (!(body instanceof Uint8Array)) body.destroy(new Error('the upload was interrupted'));
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    const { VersionId } = await upload.done();
    return VersionId;
  } catch (error) {
    if (requests.unfinishedId !== undefined) throw new PartsLeftError(bucket, requests.unfinishedId, error);
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

interface Location {
  readonly Bucket: string | undefined;
  readonly Key: string | undefined;
}

interface Written {
  readonly ETag?: string | undefined;
  readonly VersionId?: string | undefined;
}

/** @throws ForeignAnswerError if the answer is not that of S3 to a write: nothing may be stored */
function checkedWrite(written: Written): Written {
  if (written.ETag === undefined) throw new ForeignAnswerError('the answer to a write has no ETag');
  return written;
}

type Send = (command: object, options?: object) => Promise<object>;

/** The requests of one upload. */
class UploadRequests {
  /** A client that sends the requests so. */
  readonly client: S3;
  /** The id of the multipart upload, until it is completed or aborted. */
  unfinishedId: string | undefined;
  readonly #send: Send;
  readonly #retries: Retries;
  readonly #token: string | undefined;
  /** What is known of the object before the first PUT. */
  #known: Existing | undefined;

  constructor(s3: S3, retries: Retries, { token, replacedEtag }: UploadSettings) {
    if (replacedEtag !== undefined) this.#known = { condition: conditionFor(replacedEtag) };
    this.#send = s3.send.bind(s3) as unknown as Send;
    this.#retries = retries;
    this.#token = token;
    this.client = Object.create(s3, { send: { value: (command: object) => this.#sendWithCare(command) } });
  }

  async #sendWithCare(command: object): Promise<object> {
    if (command instanceof PutObjectCommand) return this.#put(command.input);
    if (command instanceof CompleteMultipartUploadCommand) return this.#complete(command);
    if (command instanceof AbortMultipartUploadCommand) return this.#abort(command);
    if (command instanceof CreateMultipartUploadCommand) return this.#create(command);
    return this.#send(command);
  }

  async #create(command: CreateMultipartUploadCommand): Promise<object> {
    const { signal } = this.#retries;
    const created: { readonly UploadId?: string } = await this.#retries.request(() =>
      this.#send(command, { abortSignal: signal }),
    );
    if (created.UploadId === undefined) throw new ForeignAnswerError('the answer has no upload id');
    this.unfinishedId = created.UploadId;
    return created;
  }

  async #put(input: PutObjectCommand['input']): Promise<Written> {
    const { signal } = this.#retries;
    return this.#retries.operation(() =>
      this.#retries.request(async () => {
        const existing = this.#known ?? (await this.#existing(input));
        this.#known = undefined;
        if (this.#isOwn(existing)) return { VersionId: existing?.versionId };
        try {
          const command = new PutObjectCommand({ ...input, ...existing?.condition });
          return checkedWrite(await this.#send(command, { abortSignal: signal }));
        } catch (error) {
          // The object changed since it was read, perhaps by an earlier try of this upload.
          if (statusOf(error) === 412) throw new RestartError('the object changed', { cause: error });
          throw error;
        }
      }),
    );
  }

  async #complete(command: CompleteMultipartUploadCommand): Promise<Written> {
    try {
      const completed = checkedWrite(await this.#send(command));
      this.unfinishedId = undefined;
      return completed;
    } catch (error) {
      // An earlier try completed it, and its response was lost.
      const existing = await this.#existing(command.input);
      if (!this.#isOwn(existing)) throw error;
      this.unfinishedId = undefined;
      return { VersionId: existing?.versionId };
    }
  }

  async #abort(command: AbortMultipartUploadCommand): Promise<object> {
    const removed = await this.#remove(command);
    this.unfinishedId = undefined;
    return removed;
  }

  /** Removes an upload and its parts, after an interruption too. */
  #remove(command: AbortMultipartUploadCommand): Promise<object> {
    const limits = { forMs: CLEAN_UP_MS, signal: null };
    return this.#retries
      .request(() => this.#send(command), limits)
      .catch((error: unknown) => {
        if (statusOf(error) === 404) return {};
        throw error;
      });
  }

  #isOwn(existing: Existing | undefined): boolean {
    return this.#token !== undefined && existing?.token === this.#token;
  }

  /** The object that a PUT replaces; undefined if this principal may not read it, or the upload has no token. */
  async #existing({ Bucket, Key }: Location): Promise<Existing | undefined> {
    if (this.#token === undefined) return undefined;
    try {
      const head = (await this.#send(new HeadObjectCommand({ Bucket, Key }))) as HeadObjectCommandOutput;
      const { ETag, VersionId, Metadata = {} } = head;
      return { condition: conditionFor(ETag!), token: Metadata[TOKEN_METADATA], versionId: VersionId };
    } catch (error) {
      const status = statusOf(error);
      if (status === 404) return { condition: conditionFor(null) };
      // The response to HEAD has no body, and that to PUT gives the reason.
      if (status === 400 || status === 403) return undefined;
      throw error;
    }
  }
}

type Condition = { readonly IfMatch: string } | { readonly IfNoneMatch: '*' };

/** @param etag of the object that is replaced; null if there is none */
function conditionFor(etag: string | null): Condition {
  return etag === null ? { IfNoneMatch: '*' } : { IfMatch: etag };
}

interface Existing {
  readonly condition: Condition;
  readonly token?: string | undefined;
  readonly versionId?: string | undefined;
}
