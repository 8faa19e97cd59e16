/**
 * Rows of S3: text files of requests and of what the server answers, in `rows`.
 *
 *     A read of a range is 206.                               a new bucket for each paragraph
 *
 *       $ put: PutObject Key=a Body=0123456789                a request of the SDK, by a name if later ones refer to it
 *       200 {"ETag":"\"781e5e245d69b566979b86e28d23f2c7\""}   its answer
 *       $ GetObject Key=a Range=bytes=2-3 IfMatch={{put.ETag}}
 *       206 {"Body":"23",...}
 *       $ PUT /{{bucket}}/a if-match=*                        a request of no SDK: headers, `body` and `payload`, its SHA-256
 *       501 {"Code":"NotImplemented",...}
 *       $ GET /{{bucket}}/a key=AKID secret=x                 signed by other keys, or (`key=none`) not at all
 *       $ LINK GetObject Key=a age=7200 change=.txt?/.csv?    a presigned link of an hour, signed so long ago, changed, fetched
 *       403 {"Code":"SignatureDoesNotMatch",...}
 *
 * Values are texts, numbers, or JSON; `{{...}}` as in `recorded/s3-answers.ts`. In answers, times are `<time>`, and ids
 * are numbered in their order. `npm run rows` writes what is answered now; `git diff` shows what has changed.
 */
import { createHash } from 'node:crypto';
import * as s3 from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { childText, parseXml } from '../../lib/local/s3/xml.ts';
import { sendRaw } from '../local/s3/raw-request.ts';
import { isObject } from './recorded/differences.ts';
import { RecordedRequests } from './recorded/s3-answers.ts';
import type { Target } from './target.ts';

const COMMANDS: Readonly<Record<string, unknown>> = { ...s3 };
/** Bodies that are longer are a digest. */
const MAX_BODY = 60;
const NUMBERS = /^(MaxKeys|MaxParts|MaxUploads|MaxBuckets|PartNumber|VisibilityTimeout)$/;
const IDS =
  /^(VersionId|VersionIdMarker|NextVersionIdMarker|CopySourceVersionId|DeleteMarkerVersionId|UploadId|UploadIdMarker|NextUploadIdMarker|ContinuationToken|NextContinuationToken|BucketName)$/;

/** Sends the requests of a file. @returns the file with what is answered now */
export async function replayRows(file: string, target: Target): Promise<string> {
  const lines: string[] = [];
  let row: Row | undefined;
  for (const line of file.split('\n')) {
    if (line.startsWith('  $ ')) lines.push(line, ...(await row!.send(line.slice(4))));
    else if (!line.startsWith('  ')) {
      lines.push(line);
      if (line !== '' && lines.at(-2) === '') row = undefined;
      row ??= new Row(target);
    }
  }
  return lines.join('\n');
}

/** The requests of a paragraph. */
class Row {
  readonly #target: Target;
  readonly #requests: RecordedRequests;
  /** Values that vary, by what is shown instead. */
  readonly #ids: unknown[] = [];

  constructor(target: Target) {
    this.#target = target;
    this.#requests = new RecordedRequests(target);
  }

  async send(text: string): Promise<string[]> {
    const [, name, operation, fields = ''] = /^(?:(\w+): )?(\w+)(?: (.*))?$/.exec(text)!;
    if (operation === 'LINK') return this.#fetchLink(fields);
    if (/^[A-Z]+$/.test(operation!)) return this.#sendRaw(operation!, fields);
    const input = Object.fromEntries(
      fieldsIn(fields).map(([field, value]) => [field, readValue(field, value)]),
    );
    const { $status, ...answer } = await this.#requests.send(operation!, input, name);
    const shown = this.#shown('', answer) as Readonly<Record<string, unknown>>;
    return [`  ${$status}${Object.keys(shown).length === 0 ? '' : ` ${JSON.stringify(shown)}`}`];
  }

  async #fetchLink(text: string): Promise<string[]> {
    const [, operation, fields = ''] = /^(\w+)(?: (.*))?$/.exec(text)!;
    const given = (await this.#requests.resolve(Object.fromEntries(fieldsIn(fields)))) as Record<
      string,
      string
    >;
    const inputs = Object.entries(given).filter(([name]) => /^[A-Z]/.test(name));
    const {
      age = '0',
      change = '/',
      body,
      ...headers
    } = Object.fromEntries(Object.entries(given).filter(([name]) => /^[a-z]/.test(name)));
    const Bucket = String(await this.#requests.resolve('{{bucket}}'));
    const Command = COMMANDS[`${operation}Command`] as typeof s3.GetObjectCommand;
    const input = Object.fromEntries(inputs.map(([name, value]) => [name, readValue(name, value)]));
    const signed = await getSignedUrl(this.#target.signer, new Command({ Bucket, Key: 'a', ...input }), {
      expiresIn: 3600,
      signingDate: new Date(Date.now() - 1000 * Number(age)),
    });
    const [from = '', to = ''] = change.split('/');
    const method = operation!.startsWith('Put') ? 'PUT' : 'GET';
    const response = await fetch(signed.replace(new RegExp(from), to), { method, body, headers });
    const disposition = response.headers.get('content-disposition') ?? undefined;
    return shownResponse(response.status, await response.text(), { disposition });
  }

  async #sendRaw(method: string, text: string): Promise<string[]> {
    const [, given, fields = ''] = /^(\S+)(?: (.*))?$/.exec(text)!;
    const { body, payload, key, secret, ...headers } = (await this.#requests.resolve(
      Object.fromEntries(fieldsIn(fields)),
    )) as Record<string, string>;
    const { endpoint, region, credentials } = this.#target;
    const path = String(await this.#requests.resolve(given));
    if (key === 'none') {
      const response = await fetch(endpoint + path, { method, body, headers });
      return shownResponse(response.status, await response.text());
    }
    const sent = { method, path, body, headers, ...(payload !== undefined && { payloadHash: payload }) };
    const accessKeyId = key ?? credentials.accessKeyId;
    const secretAccessKey = secret ?? credentials.secretAccessKey;
    const answer = await sendRaw({ endpoint, region, accessKeyId, secretAccessKey }, sent);
    return shownResponse(answer.status, answer.text);
  }

  #shown(name: string, value: unknown): unknown {
    if (value instanceof Date) return '<time>';
    if (typeof value === 'string' && IDS.test(name) && value !== 'null' && value !== '')
      return this.#id(name, value);
    if (name === 'Name') return '<bucket>';
    if (name === 'Body' && String(value).length > MAX_BODY) return digestOf(String(value));
    if (Array.isArray(value)) return value.map((item) => this.#shown(name, item));
    if (!isObject(value)) return value;
    const names = Object.keys(value).sort();
    return Object.fromEntries(names.map((field) => [field, this.#shown(field, value[field])]));
  }

  #id(name: string, value: string): string {
    const kind = /Version|Upload|Token|Bucket/.exec(name)![0].toLowerCase();
    if (!this.#ids.includes(value)) this.#ids.push(value);
    return `<${kind} ${this.#ids.indexOf(value) + 1}>`;
  }
}

/** A text that is no error is shown itself. */
function shownResponse(status: number, text: string, further: object = {}): string[] {
  const root = /^<(?=.*<Error>)/s.test(text) ? parseXml(text) : undefined;
  const error = root && { Code: childText(root, 'Code'), Message: childText(root, 'Message') };
  const Body = text === '' || text.startsWith('<') ? undefined : text;
  return [`  ${status} ${JSON.stringify({ ...error, Body, ...further })}`];
}

/** `name=value name='value with spaces'`. */
export function fieldsIn(text: string): [name: string, value: string][] {
  return [...text.matchAll(/([\w-]+)=(?:'([^']*)'|(\S+))/g)].map(([, name, quoted, plain]) => [
    name!,
    quoted ?? plain!,
  ]);
}

/** A text, a number or JSON. */
export function readValue(field: string, text: string): unknown {
  if (NUMBERS.test(field)) return Number(text);
  if (/^[[{]/.test(text) && !text.startsWith('{{')) return JSON.parse(text);
  // Characters outside ASCII, and spaces.
  return text.replaceAll(/\\u\{([\da-f]+)\}/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

function digestOf(body: string): string {
  return `<${body.length} characters, MD5 ${createHash('md5').update(body).digest('hex')}>`;
}
