/** The page's server over HTTP, without a browser. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageJob } from '../../../lib/cli/page/page-jobs.ts';
import { buildOfSources } from '../../../lib/local/deployments.ts';
import { INPUT_BUCKET, RESULTS_BUCKET } from '../../support/dependencies.ts';
import { CREDENTIALS } from '../../support/embedded-s3.ts';
import { EASY, MIXED_FILE, MIXED_OPTIONS, SOLUTION } from '../../support/puzzles.ts';
import { unzipped } from '../../support/unzipped.ts';
import { PageUnderTest, type Request } from './page-under-test.ts';

const MINUTE_MS = 60_000;

let page: PageUnderTest;
beforeAll(async () => {
  page = await PageUnderTest.start();
});
afterAll(async () => {
  // No answer in this file contains the secret key.
  for (const { text, headers } of page.answers) {
    expect(`${JSON.stringify(headers)}${text}`).not.toContain(CREDENTIALS.secretAccessKey);
  }
  await page.stop();
});

describe('the page', () => {
  test('is at the root of its server, and may load only its own files', async () => {
    const { status, headers, text } = await page.ask('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|data:|\*/);
    const own = `${page.endpoint}/_page/`;
    expect(policy).toContain(`script-src ${own};`);
    expect(policy).toContain(`worker-src ${own};`);
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types puzzles");
    const linked = [...text.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path);
    expect(linked).toEqual(['/_page/icon.svg', '/_page/page.css', '/_page/page.js', '/_page/results.zip']);
    for (const path of linked) expect((await page.ask(path)).status).toBe(200);
  });

  test('has scripts that a checkout bundles once, so that a restart takes no longer for them', async () => {
    const folder = await buildOfSources('page', () => Promise.reject(new Error('built once more')));
    expect((await page.ask('/_page/page.js')).text).toBe(readFileSync(join(folder!, 'page.js'), 'utf8'));
  });

  test.each([
    '/_page/',
    '/_page/page.ts',
    '/_page/..%2fpage-server.ts',
    '/_page/tsconfig.json',
    '/_page/%',
    // Not another host, whose scripts the page could load.
    '//evil.example/',
    '//evil.example/_page/jobs',
  ])('answers 404 for %s', async (path) => {
    expect((await page.ask(path)).status).toBe(404);
  });
});

describe('another site', () => {
  const bytes = { 'content-type': 'application/octet-stream' };
  const OTHER_SITES: readonly (readonly [name: string, headers: Record<string, string>, status: number])[] = [
    ['with its own name for this machine', { host: 'evil.example:80' }, 421],
    ['with a name that begins like an own name', { host: '127.0.0.1.evil.example' }, 421],
    ['with its origin', { origin: 'https://evil.example' }, 403],
    ['with an opaque origin', { origin: 'null' }, 403],
    ['from another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['marked by the browser', { 'sec-fetch-site': 'cross-site' }, 403],
    ['on the same machine, marked by the browser', { 'sec-fetch-site': 'same-site' }, 403],
  ];
  const REQUESTS: readonly (readonly [name: string, path: string, question: Request])[] = [
    ['upload', '/_page/uploads?name=a.txt', { method: 'POST', headers: bytes, body: EASY }],
    ['page', '/', {}],
    ['script', '/_page/page.js', {}],
    ['list', '/_page/jobs', {}],
    ['archive', '/_page/results.zip', {}],
    ['result', '/_page/results/stats.json?key=inbox%2Fa.txt&version=1', {}],
  ];

  describe.each(OTHER_SITES)('%s', (_name, headers, status) => {
    test.each(REQUESTS)('gets no %s', async (_what, path, request) => {
      const answer = await page.ask(path, { ...request, headers: { ...request.headers, ...headers } });
      expect(answer.status).toBe(status);
      expect(answer.text).not.toMatch(/versionId|jobs|script/);
    });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'stores nothing of a type that needs no preflight request: %s',
    async (type) => {
      const request = { method: 'POST', headers: { 'content-type': type }, body: EASY };
      expect((await page.ask('/_page/uploads?name=a.txt', request)).status).toBe(415);
      expect((await page.jobs()).found).toBe(0);
    },
  );

  test('gets no headers that allow reading', async () => {
    const { headers } = await page.ask('/_page/jobs', { headers: { origin: page.endpoint } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])(
    'does not include the name %s of this machine',
    async (name) => {
      const host = `${name}:${new URL(page.endpoint).port}`;
      const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      expect((await page.ask('/_page/jobs', { headers })).status).toBe(200);
    },
  );
});

describe('an upload', () => {
  test('becomes an object with its options', async () => {
    const options = { engine: 'bitboard', strict: 'true' };
    const answer = await page.upload({ ...options, name: 'ü/a b.txt' }, 'four');
    expect(answer).toEqual({ kind: 'uploaded', versionId: expect.any(String), replaces: false });
    const { Body, Metadata } = await page.embedded.s3.getObject({
      Bucket: INPUT_BUCKET,
      Key: 'inbox/ü/a b.txt',
    });
    expect(await Body!.transformToString()).toBe('four');
    expect(Metadata).toMatchObject({ 'dlx-engine': 'bitboard', 'dlx-strict': 'true' });
  });

  test('has the key that its name says, below the inbox', async () => {
    expect(await page.upload({ name: '../scheduled/a.txt' }, 'x')).toMatchObject({ kind: 'refused' });
    expect(await page.upload({ name: '' }, 'x')).toMatchObject({ kind: 'refused' });
  });

  test('that ends before its size stores nothing', async () => {
    const { port } = new URL(page.endpoint);
    const socket = connect(Number(port), '127.0.0.1');
    const length = 20_000_000;
    socket.write(
      `POST /_page/uploads?name=short.txt HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/octet-stream\r\ncontent-length: ${length}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(length / 2, 10), () => socket.destroy());
    await once(socket, 'close');
    await page.upload({ name: 'after.txt' }, 'x');
    const { jobs } = await page.jobs();
    expect(jobs.map(({ name }) => name)).toContain('after.txt');
    expect(jobs.map(({ name }) => name)).not.toContain('short.txt');
  });

  test('with invalid options is rejected with their names, and not stored', async () => {
    const answer = await page.upload({ name: 'wrong.txt', engine: 'quantum', box: '3', colour: 'red' }, EASY);
    expect(answer).toMatchObject({ kind: 'refused', options: ['engine', 'box', 'colour'] });
    expect((await page.jobs('find=wrong')).found).toBe(0);
  });
});

describe('a file that is already uploaded', () => {
  const sha256 = createHash('sha256').update('twice').digest('hex');
  const upload = { name: 'twice.txt', sha256 };
  beforeAll(() => page.upload(upload, 'twice'));

  test('unchanged, is not stored again', async () => {
    expect(await page.upload(upload, 'twice')).toEqual({ kind: 'unchanged' });
  });

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['is stored again with force', { ...upload, force: 'true' }, false],
    ['is a new version with other options', { ...upload, strict: 'true' }, true],
    ['is a new version without a checksum', { name: 'twice.txt' }, true],
    ['is a new version with other bytes', upload, true],
  ])('%s', async (_name, query, replaces) => {
    expect(await page.upload(query, 'twice')).toMatchObject({ kind: 'uploaded', replaces });
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

  test('has a sentence', async () => {
    expect(await job()).toMatchObject({
      key,
      name: 'mixed ü.txt',
      state: 'done',
      finished: true,
      text: '2 of 7 puzzles were solved; 5 exceptions: 1 with more than one solution, 1 unsolvable, 1 invalid, 1 unreadable, 1 limit.',
      exceptions: '5 exceptions',
    });
  });

  test('has each file of the set, each with its own download name', async () => {
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

  test('has a report that is shown in a sandbox', async () => {
    const { status, headers, text } = await page.ask((await job()).report!);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'sha256-[^']+'; style-src 'unsafe-inline'$/,
    );
    expect(text).toContain('<h1>');
  });

  test('shows only the report: a file with content from a user is always saved', async () => {
    const { href } = await fileOf('solutions.txt');
    const { headers } = await page.ask(href.replace('use=save', 'use=view'));
    expect(headers['content-disposition']).toMatch(/^attachment/);
  });

  test.each<[string, (href: string) => string]>([
    ['a file that the manifest does not name', (href) => href.replace('stats.json', 'latest.json')],
    ['a path', (href) => href.replace('stats.json', '..%2Fmanifest.json')],
    ['another version', (href) => href.replace(/version=[^&]*/, 'version=1')],
    ['another key', (href) => href.replace(/key=[^&]*/, 'key=results')],
    ['no key', (href) => href.replace('key=', 'k=')],
    ['a name with invalid encoding', (href) => href.replace('stats.json', '%ff')],
  ])('is not found under %s', async (_name, change) => {
    expect((await page.ask(change((await fileOf('stats.json')).href))).status).toBe(404);
  });
});

describe('the list of jobs', () => {
  /** What the page says about jobs: `jobs.txt`. */
  const said: string[] = [];

  test('has the reason of a rejection', async () => {
    const versionId = await page.solved('letter.txt', 'Dear Ms Knuth,');
    const job = (await page.jobs()).jobs.find((each) => each.versionId === versionId);
    expect(job).toMatchObject({
      state: 'rejected',
      finished: true,
    });
    said.push(`letter.txt: ${job?.text}`);
    expect(job).not.toHaveProperty('files');
  });

  test('has uploads that wait, and uploads that wait for the scheduled run', async () => {
    await page.embedded.upload('scheduled/night.txt', EASY);
    await page.embedded.upload('inbox/soon.txt', EASY);
    const { jobs } = await page.jobs();
    const waiting = jobs.filter(({ name }) => ['soon.txt', 'scheduled/night.txt'].includes(name));
    expect(waiting.map(({ state }) => state)).toEqual(['queued', 'queued']);
    said.push(...waiting.map(({ name, text }) => `${name}: ${text}`).sort());
  });

  const LATER = '2999-01-01T00:00:00Z';
  const TRY = 'a try failed and will be repeated: 503';
  test.each<[state: string, deadline: string | undefined, message: string | undefined]>([
    ['failed', undefined, 'the function ran out of memory'],
    ['running', LATER, undefined],
    ['running', LATER, TRY],
    ['stalled', 'past', undefined],
  ])('describes a job that is %s', async (state, until, message) => {
    // The file may have been loaded minutes before.
    const deadline = until === 'past' ? new Date(Date.now() - 3 * MINUTE_MS).toISOString() : until;
    const status = { state: state === 'failed' ? state : 'running', deadline, error: message && { message } };
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
    const found = jobs.find(({ name }) => name === `${state}.txt`);
    expect(found?.state).toBe(state);
    said.push(`${state}: ${found?.text}`);
  });

  test('has fifty jobs on a page, those with problems first, then newest first', async () => {
    await page.solved('several.txt', `${'.'.repeat(81)}\n`.repeat(2));
    for (let k = 0; k < 50; k++) await page.embedded.upload(`inbox/many-${k}`, '');
    const first = await page.jobs();
    expect(first.jobs).toHaveLength(50);
    expect(first).toMatchObject({ page: 0, pages: 2, found: first.counts.all });
    said.push(`totals: ${first.totals?.replaceAll(/[\d,]+/g, '<n>')}`);
    const rest = await page.jobs('page=1');
    expect(first.jobs.length + rest.jobs.length).toBe(first.found);
    const all = [...first.jobs, ...rest.jobs];
    const isProblem = ({ state, exceptions }: PageJob) =>
      ['failed', 'rejected', 'stalled'].includes(state) || exceptions !== undefined;
    const problems = all.filter(isProblem);
    expect(problems).toHaveLength(first.counts.problems);
    expect(all.slice(0, problems.length)).toEqual(problems);
    const ranks = all.map((job) =>
      isProblem(job) ? 0 : 1 + ['running', 'queued', 'done'].indexOf(job.state),
    );
    expect(ranks).toEqual([...ranks].sort());
    for (const rank of new Set(ranks)) {
      const times = all.filter((_, k) => ranks[k] === rank).map(({ uploadedAt }) => uploadedAt ?? '');
      expect(times).toEqual([...times].sort().reverse());
    }
  });

  test('is filtered and searched on the server; a page that does not exist is the last one', async () => {
    const { counts } = await page.jobs();
    for (const filter of ['problems', 'waiting', 'solved'] as const) {
      expect((await page.jobs(`filter=${filter}`)).found).toBe(counts[filter]);
    }
    expect(counts.problems + counts.waiting + counts.solved).toBe(counts.all);
    expect((await page.jobs('find=MANY-4')).jobs.map(({ name }) => name).sort()).toEqual(
      ['many-4', ...Array.from({ length: 10 }, (_, k) => `many-4${k}`)].sort(),
    );
    expect(await page.jobs('filter=none&page=-1&find=')).toMatchObject({ found: counts.all, page: 0 });
    expect(await page.jobs('page=99')).toMatchObject({ page: 1 });
  });

  test('names no option of the command line', async () => {
    await page.solved('wide.txt', `${'12345678901.'.repeat(12)}\n`);
    await page.solved('twice.txt', `${'.'.repeat(81)}\n`);
    const texts = (await page.jobs()).jobs.map(({ text = '' }) => text);
    expect(texts.join('\n')).not.toMatch(/(^|\s)--[a-z]|\$/);
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('jobs.txt');
  });
});

describe('the archive of all results', () => {
  test('has each file of each result set, in folders that no name can leave', async () => {
    const names = ['a.txt', 'b/../c.txt', '../../up.txt', 'ü "x".txt', '<b>.txt'];
    for (const name of names) {
      const { detail } = JSON.parse(await page.embedded.upload(`inbox/zip-${name}`, EASY));
      await page.solve(`inbox/zip-${name}`, detail.object['version-id']);
    }
    const versionId = await page.solved('zip-letter.txt', 'Dear Ms Knuth,');
    expect(versionId).not.toBe('');
    const response = await fetch(`${page.endpoint}/_page/results.zip?find=zip-`);
    expect(response.headers.get('content-type')).toBe('application/zip');
    const members = unzipped(Buffer.from(await response.arrayBuffer()));
    const paths = [...members.keys()];
    expect(paths.filter((path) => path.endsWith('solutions.txt'))).toHaveLength(names.length);
    expect(paths.filter((path) => path.endsWith('error.json'))).toHaveLength(1);
    for (const path of paths) {
      expect(path.split('/').filter((part) => /^\.*$|[\\:<>"|?*]/.test(part))).toEqual([]);
    }
    const solutions = members.get('inbox/zip-a.txt/solutions.txt');
    expect(solutions?.toString()).toBe(`${SOLUTION}\n`);
  });
});
