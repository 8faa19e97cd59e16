/** The page's server over HTTP, without a browser. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CREDENTIALS } from '../../support/embedded-s3.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/machinery.ts';
import { EASY, MIXED_FILE, MIXED_OPTIONS, SOLUTION } from '../../support/puzzles.ts';
import { PageUnderTest, type Question } from './page-under-test.ts';

const MAX_BYTES = 1000;
const MINUTE_MS = 60_000;

let page: PageUnderTest;
beforeAll(async () => {
  page = await PageUnderTest.start(MAX_BYTES);
});
afterAll(async () => {
  // Whatever was asked for in this file, nobody was told the secret.
  for (const { text, headers } of page.answers) {
    expect(`${JSON.stringify(headers)}${text}`).not.toContain(CREDENTIALS.secretAccessKey);
    expect(decodedPolicies(text)).not.toContain(CREDENTIALS.secretAccessKey);
  }
  await page.stop();
});

function decodedPolicies(text: string): string {
  return [...text.matchAll(/"policy":"([^"]+)"/g)]
    .map(([, policy]) => Buffer.from(policy, 'base64').toString())
    .join('\n');
}

describe('the page', () => {
  test('lies at the root of the endpoint, and may load nothing but its own files', async () => {
    const { status, headers, text } = await page.ask('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|data:|\*/);
    const own = `${page.endpoint}/_page/`;
    expect(policy).toContain(`script-src ${own};`);
    const linked = [...text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
    expect(linked).toEqual(['/_page/icon.svg', '/_page/page.css', '/_page/page.js']);
    for (const path of linked) expect((await page.ask(path)).status).toBe(200);
  });

  test('brings every script that its scripts import', async () => {
    const found = new Set(['/_page/page.js']);
    for (const path of found) {
      const { status, headers, text } = await page.ask(path);
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/javascript; charset=utf-8']);
      for (const [, name] of text.matchAll(/^import .* from '\.\/(.*)';$/gm)) found.add(`/_page/${name}`);
    }
    expect(found.size).toBeGreaterThan(5);
  });

  test('leaves the list of buckets to those who sign', async () => {
    const { Buckets } = await page.embedded.s3.listBuckets().catch(({ name }) => ({ Buckets: name }));
    expect(JSON.stringify(Buckets)).not.toContain('doctype');
    const { text } = await page.ask('/', { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=x' } });
    expect(text).toContain('<Error>');
  });

  test.each(['/_page/', '/_page/page.ts', '/_page/..%2fpage-server.ts', '/_page/tsconfig.json', '/_page/%'])(
    'has nothing at %s',
    async (path) => {
      expect((await page.ask(path)).status).toBe(404);
    },
  );
});

describe('another site', () => {
  const wish = JSON.stringify({ name: 'a.txt', bytes: 1, options: {} });
  const json = { 'content-type': 'application/json' };
  const STRANGERS: readonly (readonly [name: string, headers: Record<string, string>, status: number])[] = [
    ['by its own name for this machine', { host: 'evil.example:80' }, 421],
    ['by a name that begins like one of ours', { host: '127.0.0.1.evil.example' }, 421],
    ['at another port', { host: '127.0.0.1:1' }, 421],
    ['with its origin', { origin: 'https://evil.example' }, 403],
    ['with an origin that hides', { origin: 'null' }, 403],
    ['from another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['as the browser says', { 'sec-fetch-site': 'cross-site' }, 403],
    ['of the same machine, as the browser says', { 'sec-fetch-site': 'same-site' }, 403],
  ];
  const QUESTIONS: readonly (readonly [name: string, path: string, question: Question])[] = [
    ['form', '/_page/uploads', { method: 'POST', headers: json, body: wish }],
    ['list', '/_page/jobs', {}],
    ['result', '/_page/results/stats.json?key=inbox%2Fa.txt&version=1', {}],
  ];

  describe.each(STRANGERS)('%s', (_name, headers, status) => {
    test.each(QUESTIONS)('gets no %s', async (_what, path, question) => {
      const answer = await page.ask(path, { ...question, headers: { ...question.headers, ...headers } });
      expect(answer.status).toBe(status);
      expect(answer.text).not.toMatch(/signature|jobs/);
    });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'gets no form for what it may send without asking: %s',
    async (type) => {
      const question = { method: 'POST', headers: { 'content-type': type }, body: wish };
      expect((await page.ask('/_page/uploads', question)).status).toBe(415);
    },
  );

  test('is told nothing that would let it read', async () => {
    const { headers } = await page.ask('/_page/jobs', { headers: { origin: page.endpoint } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('is none that calls this machine %s', async (name) => {
    const host = `${name}:${new URL(page.endpoint).port}`;
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await page.ask('/_page/jobs', { headers })).status).toBe(200);
  });
});

describe('an upload', () => {
  test('becomes an object with its options, by a form that allows just that', async () => {
    const options = { engine: 'bitboard', strict: 'true' };
    const answer = await page.permit({ name: 'ü/a b.txt', bytes: 4, options });
    expect(answer).toMatchObject({ kind: 'form', key: 'inbox/ü/a b.txt', replaces: false });
    expect((await page.send(answer, 'four')).status).toBe(204);
    const { Metadata } = await page.embedded.s3.headObject({ Bucket: INPUT_BUCKET, Key: 'inbox/ü/a b.txt' });
    expect(Metadata).toEqual({ 'dlx-engine': 'bitboard', 'dlx-strict': 'true' });
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    ['to another prefix', { key: 'scheduled/a.txt' }, '', /Policy Condition failed/],
    ['to another key of the inbox', { key: 'inbox/b.txt' }, '', /Policy Condition failed/],
    ['with an option that was not asked for', { 'x-amz-meta-dlx-engine': 'dlx' }, '', /Extra input fields/],
    ['with more bytes than are allowed', {}, 'x'.repeat(MAX_BYTES + 1), /EntityTooLarge/],
  ])('%s is refused by S3', async (_name, changes, body, found) => {
    const { status, text } = await page.send(await page.permit({ bytes: 1 }), body, changes);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toMatch(found);
  });

  test('has ten minutes to begin', async () => {
    page.agesMs.push(9 * MINUTE_MS, 11 * MINUTE_MS);
    const early = await page.permit({});
    const late = await page.permit({});
    expect((await page.send(early, '')).status).toBe(204);
    expect((await page.send(late, '')).text).toContain('Policy expired');
  });

  test('that is too large is known before a byte is sent, and what to do', async () => {
    expect(await page.permit({ name: 'big.txt', bytes: 2_000_000 })).toEqual({
      kind: 'refused',
      options: [],
      message:
        'big.txt has 2.0 MB: this page takes at most 1.0 kB of one file. Part it, or send it with dlx-batch upload.',
    });
  });

  test('with options that cannot be taken names each of them', async () => {
    const answer = await page.permit({ options: { engine: 'quantum', box: '3', colour: 'red' } });
    expect(answer).toMatchObject({ kind: 'refused', options: ['engine', 'box', 'colour'] });
    expect(answer).toHaveProperty('message', expect.stringContaining('option "engine" is "quantum"'));
  });

  test.each<[string, string]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no name', '{"bytes":1}'],
    ['a size that is none', '{"name":"a","bytes":-1}'],
    ['a checksum that is none', '{"name":"a","bytes":1,"sha256":"x"}'],
    ['options that are no texts', '{"name":"a","bytes":1,"options":{"engine":1}}'],
  ])('that is asked for with %s gets no form', async (_name, body) => {
    const headers = { 'content-type': 'application/json' };
    const { text } = await page.ask('/_page/uploads', { method: 'POST', headers, body });
    expect(JSON.parse(text)).toMatchObject({ kind: 'refused', message: /load the page again/ });
  });

  test('that is asked for with too many words is not listened to', async () => {
    const question = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const answer = await page.ask('/_page/uploads', { ...question, body: ' '.repeat(100_000) });
    expect(answer.status).toBe(413);
  });
});

describe('a file that is there already', () => {
  const sha256 = createHash('sha256').update('twice').digest('hex');
  const wish = { name: 'twice.txt', bytes: 5, sha256 };
  let versionId: string;
  beforeAll(async () => {
    ({ versionId } = await page.send(await page.permit(wish), 'twice'));
  });

  test('unchanged, is not sent again', async () => {
    expect(await page.permit(wish)).toEqual({ kind: 'unchanged', key: 'inbox/twice.txt', versionId });
  });

  test.each([
    ['is sent again where that is wanted', { force: true }, false],
    ['is a new version with other bytes', { sha256: sha256.replace(/./, 'x').replace('x', '0') }, true],
    ['is a new version with other options', { options: { strict: 'true' } }, true],
    ['is a new version where nobody hashed it', { sha256: undefined }, true],
  ])('%s', async (_name, changes, replaces) => {
    expect(await page.permit({ ...wish, ...changes })).toMatchObject({ kind: 'form', replaces });
  });
});

describe('the result of an upload', () => {
  let versionId: string;
  const key = 'inbox/mixed ü.txt';
  beforeAll(async () => {
    versionId = await page.solved('mixed ü.txt', MIXED_FILE, { ...MIXED_OPTIONS, records: 'true' });
  });
  const job = async () => (await page.jobs()).jobs.find((each) => each.versionId === versionId)!;
  const fileOf = async (name: string) => (await job()).files!.find((file) => file.name === name)!;

  test('is told in a sentence, in counts and in times', async () => {
    expect(await job()).toMatchObject({
      key,
      name: 'mixed ü.txt',
      state: 'done',
      over: true,
      text: '2 of 7 puzzles were solved; 1 multiple, 1 unsolvable, 1 invalid, 1 unreadable, 1 limit.',
      counts: expect.arrayContaining([{ status: 'solved', puzzles: '2' }]),
      details: [/puzzles\/s in/, /^solve time p50/].map((pattern) => expect.stringMatching(pattern)),
    });
  });

  test('has each file of the set, to be saved under a name of its own', async () => {
    const { files = [] } = await job();
    expect(files.map(({ name, saveAs }) => [name, saveAs])).toEqual(
      [
        'solutions.txt',
        'exceptions.jsonl',
        'records.jsonl',
        'stats.json',
        'report.html',
        'manifest.json',
      ].map((name) => [name, `mixed ü.${name}`]),
    );
    for (const { href, name } of files) {
      const { status, headers, text } = await page.ask(href);
      expect([name, status, headers['content-type']]).toEqual([name, 200, 'application/octet-stream']);
      expect(headers['content-disposition']).toBe(
        `attachment; filename="mixed _.${name}"; filename*=UTF-8''mixed%20%C3%BC.${name}`,
      );
      expect(Buffer.byteLength(text)).toBe(Number(headers['content-length']));
    }
    expect((await page.ask((await fileOf('solutions.txt')).href)).text).toContain(SOLUTION);
    expect(JSON.parse((await page.ask((await fileOf('manifest.json')).href)).text).input.key).toBe(key);
  });

  test('has a report that is shown, and can do nothing', async () => {
    const { status, headers, text } = await page.ask((await job()).report!);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(text).toContain('<h1>');
  });

  test('shows nothing but the report: a file of somebody else is saved, whatever it is', async () => {
    const { href } = await fileOf('solutions.txt');
    const { headers } = await page.ask(href.replace('use=save', 'use=look'));
    expect(headers['content-disposition']).toMatch(/^attachment/);
  });

  test.each<[string, (href: string) => string]>([
    ['a file that the manifest does not name', (href) => href.replace('stats.json', 'latest.json')],
    ['a path', (href) => href.replace('stats.json', '..%2Fmanifest.json')],
    ['another version', (href) => href.replace(/version=[^&]*/, 'version=1')],
    ['another key', (href) => href.replace(/key=[^&]*/, 'key=results')],
    ['no key', (href) => href.replace('key=', 'k=')],
    ['a name that is no text', (href) => href.replace('stats.json', '%ff')],
  ])('is not found under %s', async (_name, change) => {
    expect((await page.ask(change((await fileOf('stats.json')).href))).status).toBe(404);
  });
});

describe('the list of jobs', () => {
  test('says why a file was rejected', async () => {
    const versionId = await page.solved('letter.txt', 'Dear Ms Knuth,');
    const job = (await page.jobs()).jobs.find((each) => each.versionId === versionId);
    expect(job).toMatchObject({
      state: 'rejected',
      over: true,
      text: expect.stringMatching(/^No puzzle was found/),
    });
    expect(job).not.toHaveProperty('files');
  });

  test('has what waits, and what waits for the night', async () => {
    await page.embedded.upload('scheduled/night.txt', EASY);
    await page.embedded.upload('inbox/soon.txt', EASY);
    const { jobs } = await page.jobs();
    const texts = Object.fromEntries(jobs.map(({ name, state, text }) => [name, [state, text]]));
    expect(texts['soon.txt']).toEqual(['queued', 'It waits to be solved.']);
    expect(texts['scheduled/night.txt']).toEqual(['queued', 'It waits for the next scheduled run.']);
  });

  test.each<[string, object, string]>([
    [
      'failed',
      { state: 'failed', error: { message: 'the function ran out of memory' } },
      'The function ran out of memory.',
    ],
    ['running', { state: 'running', deadline: '2999-01-01T00:00:00Z' }, 'It is being solved.'],
    [
      'running',
      {
        state: 'running',
        deadline: '2999-01-01T00:00:00Z',
        error: { message: 'a try failed and will be repeated: 503' },
      },
      'A try failed and will be repeated: 503.',
    ],
    [
      'stalled',
      { state: 'running', deadline: new Date(Date.now() - 3 * MINUTE_MS).toISOString() },
      'It should have ended 3 min ago; the stack tries it again by itself.',
    ],
  ])('says of a job that is %s what there is to say', async (state, status, text) => {
    const key = `inbox/${state}.txt`;
    const { detail } = JSON.parse(await page.embedded.upload(key, EASY));
    const input = { bucket: INPUT_BUCKET, key, versionId: detail.object['version-id'] };
    await page.embedded.s3.putObject({
      Bucket: RESULTS_BUCKET,
      Key: `status/${key}/0123456789abcdef.json`,
      Body: JSON.stringify({
        updatedAt: '2025-03-01T12:00:00Z',
        jobId: '0123456789abcdef',
        input,
        ...status,
      }),
    });
    const { jobs } = await page.jobs();
    expect(jobs.find(({ name }) => name === `${state}.txt`)).toMatchObject({ state, text });
  });

  test('shows the newest fifty, newest first, and says how many more there are', async () => {
    for (let k = 0; k < 50; k++) await page.embedded.upload(`inbox/many-${k}`, '');
    const { jobs, more, totals } = await page.jobs();
    expect(jobs).toHaveLength(50);
    expect(more).toBeGreaterThan(0);
    expect(totals).toMatch(new RegExp(`^${50 + more} jobs: .* queued.*; .* puzzles, .* solved$`));
    const times = jobs.map(({ uploadedAt }) => uploadedAt!);
    expect(times).toEqual([...times].sort().reverse());
  });
});
