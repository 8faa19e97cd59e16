/** Form uploads: only what the policy allows. */

import { createHmac } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import type { Target } from '../target.ts';

const MINUTE_MS = 60_000;

type Condition = Readonly<Record<string, string>> | readonly (string | number)[];

/** A form with a signed policy. */
export interface Form {
  readonly key: string;
  readonly body?: string;
  readonly fileName?: string;
  /** In addition to those for the bucket and the signature. */
  readonly conditions?: readonly Condition[];
  readonly fields?: Readonly<Record<string, string>>;
  readonly expiresMs?: number;
  /** Changes the form after signing. */
  readonly tamper?: (fields: Record<string, string>) => void;
}

export function formsSuite(target: () => Target): void {
  const post = async (form: Form): Promise<{ readonly status: number; readonly text: string }> => {
    const { endpoint, region, credentials, versionedBucket } = target();
    const fields = signedFields(form, versionedBucket, region, credentials);
    form.tamper?.(fields);
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    body.append('file', new Blob([form.body ?? 'text']), form.fileName ?? 'a.txt');
    const response = await fetch(`${endpoint}/${versionedBucket}`, { method: 'POST', body });
    return { status: response.status, text: await response.text() };
  };
  const startsWith = (prefix: string): Condition => ['starts-with', '$key', prefix];

  test('a form stores its file, of several pieces and with any bytes, and returns 204', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    const body = `${'--\r\n\r\n-\u0000é'.repeat(100_000)}\r\n--`;
    const type = { 'Content-Type': 'text/plain', 'x-amz-meta-dlx-engine': 'bitboard' };
    const conditions = [
      startsWith(prefix),
      ['starts-with', '$Content-Type', 'text/'],
      { 'x-amz-meta-dlx-engine': 'bitboard' },
    ];
    const { status } = await post({ key: `${prefix}a b+ü.txt`, body, conditions, fields: type });
    expect(status).toBe(204);
    const got = await client.send(new GetObjectCommand({ Bucket, Key: `${prefix}a b+ü.txt` }));
    expect(await got.Body!.transformToString()).toBe(body);
    expect([got.ContentType, got.Metadata]).toEqual(['text/plain', { 'dlx-engine': 'bitboard' }]);
  });

  test('the file name replaces its placeholder in the key', async () => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    const key = [prefix, '{filename}'].join('$');
    expect((await post({ key, fileName: 'puzzles.txt', conditions: [startsWith(prefix)] })).status).toBe(204);
    await client.send(new HeadObjectCommand({ Bucket, Key: `${prefix}puzzles.txt` }));
  });

  test('a response with 201 names the object', async () => {
    const prefix = target().newPrefix();
    const fields = { success_action_status: '201' };
    const conditions = [startsWith(prefix), fields];
    const { status, text } = await post({ key: `${prefix}a`, conditions, fields });
    expect(status).toBe(201);
    expect(text).toContain(`<Key>${prefix}a</Key>`);
  });

  const limits: Condition = ['content-length-range', 2, 4];
  const REJECTED: readonly (readonly [
    name: string,
    form: (prefix: string) => Omit<Form, 'key'> & { readonly key?: string },
    response: RegExp,
  ])[] = [
    [
      'a file over the allowed size',
      (p) => ({ body: '12345', conditions: [startsWith(p), limits] }),
      /^400 .*EntityTooLarge/s,
    ],
    [
      'a file under the allowed size',
      (p) => ({ body: '1', conditions: [startsWith(p), limits] }),
      /^400 .*EntityTooSmall/s,
    ],
    [
      'a key with another prefix',
      (p) => ({ conditions: [startsWith(`${p}inbox/`)] }),
      /^403 .*AccessDenied.*Policy Condition failed/s,
    ],
    [
      'a field with another value',
      (p) => ({ conditions: [startsWith(p), ['eq', '$acl', 'private']], fields: { acl: 'public-read' } }),
      /^403 .*AccessDenied.*Policy Condition failed/s,
    ],
    [
      'a field without a condition',
      (p) => ({ conditions: [startsWith(p)], fields: { 'x-amz-meta-a': 'b' } }),
      /^403 .*AccessDenied.*Extra input fields/s,
    ],
    [
      'an expired policy',
      (p) => ({ conditions: [startsWith(p)], expiresMs: -MINUTE_MS }),
      /^403 .*AccessDenied.*expired/s,
    ],
    [
      'a changed policy',
      (p) => ({
        conditions: [startsWith(p)],
        tamper: (fields) => {
          fields.policy = Buffer.from('{}').toString('base64');
        },
      }),
      /^403 .*SignatureDoesNotMatch/s,
    ],
    [
      'an unknown signer',
      (p) => ({
        conditions: [startsWith(p)],
        tamper: (fields) => {
          fields['x-amz-credential'] = `X${fields['x-amz-credential']}`;
        },
      }),
      /^403 .*InvalidAccessKeyId/s,
    ],
    [
      'no policy',
      (p) => ({
        conditions: [startsWith(p)],
        tamper: (fields) => {
          delete fields.policy;
        },
      }),
      /^403 .*AccessDenied/s,
    ],
  ];

  test.each(REJECTED)('%s is rejected, and stores nothing', async (_name, form, response) => {
    const { client, versionedBucket: Bucket, newPrefix } = target();
    const prefix = newPrefix();
    const { status, text } = await post({ key: `${prefix}a`, ...form(prefix) });
    expect(`${status} ${text}`).toMatch(response);
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: `${prefix}a` }))).rejects.toThrow();
  });
}

/** The fields of a form. */
export function signedFields(
  { key, conditions = [], fields = {}, expiresMs = MINUTE_MS }: Form,
  bucket: string,
  region: string,
  { accessKeyId, secretAccessKey }: Target['credentials'],
): Record<string, string> {
  const timestamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const scope = [timestamp.slice(0, 8), region, 's3', 'aws4_request'];
  const signer = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': [accessKeyId, ...scope].join('/'),
    'x-amz-date': timestamp,
  };
  const document = {
    expiration: new Date(Date.now() + expiresMs).toISOString(),
    conditions: [
      { bucket },
      ...Object.entries(signer).map(([name, value]) => ({ [name]: value })),
      ...conditions,
    ],
  };
  const policy = Buffer.from(JSON.stringify(document)).toString('base64');
  const signingKey = scope.reduce<Buffer>(
    (last, step) => createHmac('sha256', last).update(step).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const signature = createHmac('sha256', signingKey).update(policy).digest('hex');
  return { key, ...signer, ...fields, policy, 'x-amz-signature': signature };
}
