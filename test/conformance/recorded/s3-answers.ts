/** Sends the requests of a recorded test with the SDK, and returns the answers in the form in which they were recorded. */

import * as s3 from '@aws-sdk/client-s3';
import type { Target } from '../target.ts';
import { isObject } from './differences.ts';

type Fields = Readonly<Record<string, unknown>>;

const COMMANDS: Fields = { ...s3 };

/** The requests of one recorded test so far, and its buckets. */
export class RecordedRequests {
  readonly #target: Target;
  /** In their order, and by name. */
  readonly #answers: Fields[] & Record<string, Fields> = Object.assign([]);
  readonly #buckets = new Map<string, string>();

  constructor(target: Target) {
    this.#target = target;
  }

  /**
   * Sends a request, in which `{{...}}` are variables. Without a `Bucket` it is for the first bucket of the test.
   *
   * @param name by which variables of later requests find the answer
   */
  async send(operation: string, given: Fields, name?: string): Promise<Fields> {
    const answer = await this.#answerTo(operation, {
      ...(operation === 'ListBuckets' ? {} : { Bucket: await this.#bucket('bucket') }),
      ...((await this.resolve(given)) as Fields),
    });
    this.#answers.push(answer);
    if (name !== undefined) this.#answers[name] = answer;
    return answer;
  }

  async #bucket(name: string): Promise<string> {
    const bucket = this.#buckets.get(name) ?? (await this.#target.newBucket());
    this.#buckets.set(name, bucket);
    return bucket;
  }

  async #answerTo(operation: string, given: Fields): Promise<Fields> {
    // The name of a bucket that a variable names, which exists by now.
    if (operation === 'CreateBucket' && [...this.#buckets.values()].includes(String(given.Bucket))) return {};
    const Command = COMMANDS[`${operation}Command`] as typeof s3.GetObjectCommand;
    const asksForUrl = LISTINGS.includes(operation) && !('EncodingType' in given);
    const input = { ...given, ...(asksForUrl && { EncodingType: 'url' }) };
    if ('CopySource' in given) Object.assign(input, { CopySource: encodedSource(given.CopySource) });
    try {
      const { $metadata, Body, ...fields } = await this.#target.recordedClient.send(
        new Command(input as unknown as s3.GetObjectCommandInput),
      );
      return {
        ...plain(fields, asksForUrl),
        ...(Body && { Body: await Body.transformToString() }),
        $status: $metadata.httpStatusCode,
      };
    } catch (error) {
      if (!(error instanceof s3.S3ServiceException)) throw error;
      return errorAnswer(error);
    }
  }

  /** Replaces the variables in a value. */
  async resolve(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.resolve(item)));
    if (isObject(value)) {
      const entries = Object.entries(value).map(async ([name, item]) => [name, await this.resolve(item)]);
      return Object.fromEntries(await Promise.all(entries));
    }
    if (typeof value !== 'string') return value;
    const [whole, ...others] = value.matchAll(VARIABLE);
    if (whole === undefined) return value;
    if (whole[0] === value) return this.#variable(whole[1]!);
    let text = value;
    for (const [found, name] of [whole, ...others])
      text = text.replace(found, String(await this.#variable(name!)));
    return text;
  }

  /**
   *     bucket  bucket2           buckets of the test
   *     0.Parts.0.ETag  ...|bare  a field of the answer to the first request; without quotes
   *     now-60  0.LastModified-60 a time, in seconds
   *     repeat 1000 a             a text
   */
  #variable(text: string): unknown {
    if (text.startsWith('bucket')) return this.#bucket(text);
    const [, count, unit] = /^repeat (\d+) (.*)$/s.exec(text) ?? [];
    if (unit !== undefined) return unit.repeat(Number(count));
    const [, path, isBare, offset = 0] = /^(.*?)(\|bare)?([+-]\d+)?$/s.exec(text)!;
    let value: unknown = path === 'now' ? new Date() : this.#answers;
    for (const name of path === 'now' ? [] : path!.split('.')) value = (value as Fields | undefined)?.[name];
    if (isBare !== undefined) return String(value).replaceAll('"', '');
    return value instanceof Date ? new Date(value.getTime() + 1000 * Number(offset)) : value;
  }
}

const VARIABLE = /{{([^{}]*)}}/g;

/** Their keys are encoded on the wire, and decoded by the client that recorded the answers. */
const LISTINGS = ['ListObjects', 'ListObjectsV2', 'ListObjectVersions'];
const KEYS = [
  'Key',
  'Prefix',
  'Delimiter',
  'Marker',
  'NextMarker',
  'StartAfter',
  'KeyMarker',
  'NextKeyMarker',
];
/** Not compared: they depend on account, place and time. */
const VARYING = ['DisplayName', 'Initiator', 'Owner', 'Location', 'Bucket', '$metadata'];
/** Numbers that this SDK gives as text. */
const NUMBERS = ['PartNumberMarker', 'NextPartNumberMarker'];

function plain(fields: object, isEncoded: boolean): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => value !== undefined && !VARYING.includes(name))
      .map(([name, value]) => [name, plainValue(name, value, isEncoded)]),
  );
}

function plainValue(name: string, value: unknown, isEncoded: boolean): unknown {
  if (NUMBERS.includes(name)) return Number(value);
  // In the order in which they were recorded.
  if (name === 'Deleted') return (value as { Key: string }[]).sort((a, b) => (a.Key < b.Key ? -1 : 1));
  if (Array.isArray(value)) return value.map((item) => plainValue('', item, isEncoded));
  if (isObject(value)) return plain(value, isEncoded);
  if (isEncoded && KEYS.includes(name)) return decodeURIComponent(String(value).replaceAll('+', ' '));
  return value;
}

/** The recorded client encodes the source of a copy. */
function encodedSource(source: unknown): string {
  const text = isObject(source) ? `${source.Bucket}/${source.Key}` : String(source);
  const [, path, version = ''] = /^(.*?)(\?versionId=.*)?$/s.exec(text)!;
  return path!.split('/').map(encodeURIComponent).join('/') + version;
}

/** The names of errors in answers without a document. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  304: 'Not Modified',
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  412: 'Precondition Failed',
};

function errorAnswer(error: s3.S3ServiceException): Fields {
  const status = error.$metadata.httpStatusCode ?? 0;
  const { Code } = error as s3.S3ServiceException & { readonly Code?: string };
  if (Code === undefined) {
    return { Error: { Code: String(status), Message: STATUS_TEXTS[status] }, $status: status };
  }
  // Clients read nothing else of an error.
  return { Error: { Code, Message: error.message }, $status: status };
}
