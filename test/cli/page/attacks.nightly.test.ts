/** Web pages that attack a running `local --serve` from the same browser, in Chromium, and the same requests without one. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand, type S3 } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import { LOCAL_STACK } from '../../../lib/local/stack-names.ts';
import { CHROMIUM, inBrowser } from '../../support/chromium.ts';
import { HeadlessBrowser } from '../../support/headless-browser.ts';
import { EASY } from '../../support/puzzles.ts';
import { folderWith } from '../program.ts';
import { type ServedStack, serveStack } from '../served-stack.ts';

const { inputBucket, resultsBucket } = LOCAL_STACK;
const VIEW = { width: 800, scheme: 'light', media: 'screen' } as const;
/** A name that its owner lets point to this machine. */
const REBOUND = 'evil.example';
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
const SCRIPT = `<!doctype html><title>stored</title><script>
  document.title = 'script ran';
</script>`;

let stack: ServedStack;
let s3: S3;
/** The attacker's own server, and its pages by path; all others are empty. */
const attackerPages = new Map<string, string>();
let attackerPort: number;

beforeAll(async () => {
  stack = await serveStack(folderWith({}, afterAll));
  s3 = s3ClientFor(stack);
  const attacker = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html');
    if (url === '/sandboxed') {
      response.setHeader('content-security-policy', 'sandbox allow-forms allow-scripts');
    }
    response.end(attackerPages.get(url!) ?? '<!doctype html><title>attacker</title>');
  }).listen(0, '127.0.0.1');
  await once(attacker, 'listening');
  attackerPort = (attacker.address() as AddressInfo).port;
  afterAll(() => attacker.close());
});
afterAll(async () => {
  s3.destroy();
  await stack.stop();
});

const port = (url: string) => new URL(url).port;
const signedPut = (Key: string) =>
  getSignedUrl(s3, new PutObjectCommand({ Bucket: inputBucket, Key }), { expiresIn: 600 });

function headersOf(key: string): Promise<unknown> {
  return s3.headObject({ Bucket: inputBucket, Key: key }).catch(({ name }) => name);
}

/** Sends a request with any headers, also those that a browser would not send. */
async function ask(url: string, method: string, headers: Readonly<Record<string, string>>, body = '') {
  const sent = request(url, { method, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return { status: response.statusCode as number, text: await text(response) };
}

// npm cannot install a browser; the tests below send the same requests without one.
// Skipped without Chromium, which `.ci/run` does not allow: see test/support/chromium.ts.
describe.runIf(CHROMIUM !== undefined)(inBrowser('a page of another site'), () => {
  let browser: HeadlessBrowser;
  beforeAll(async () => {
    browser = await HeadlessBrowser.start(CHROMIUM!, [`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`]);
    await browser.recordAnswers();
  });
  afterAll(() => browser.close());

  /** The statuses of the answers to a URL; waits for the first `count`, which may be reported after the page has them. */
  async function answersTo(url: string, count = 1): Promise<string[]> {
    const statuses = () =>
      browser.answers.filter((line) => line.includes(url)).map((line) => line.split(' ').at(-1)!);
    while (statuses().length < count) await sleep(20);
    return statuses();
  }
  const evaluate = <Value>(expression: string) => browser.evaluate<Value>(expression);

  const SITES: readonly (readonly [name: string, host: string])[] = [
    ['at another port of the same name', '127.0.0.1'],
    ['at another name of this machine', 'localhost'],
    ['at a name below a bucket', `${inputBucket}.localhost`],
    ['on the network', REBOUND],
  ];

  describe.each(SITES)('%s', (_name, host) => {
    beforeAll(() => browser.show(`http://${host}:${attackerPort}/`, VIEW));

    test.each(['cors', 'no-cors'])(
      'cannot upload to a URL signed with the right keys, in mode %s',
      async (mode) => {
        const key = `inbox/by-${host}.txt`;
        const url = await signedPut(key);
        browser.answers.length = 0;
        const init = { method: mode === 'cors' ? 'PUT' : 'POST', mode, body: 'x' };
        await evaluate(`fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).catch(String)`);
        expect(new Set(await answersTo(url))).toEqual(new Set(['403']));
        expect(await headersOf(key)).toBe('NotFound');
        browser.answers.length = 0;
      },
    );

    test('reads nothing: no object by a link, no jobs, no page', async () => {
      await s3.putObject({ Bucket: inputBucket, Key: 'inbox/a.txt', Body: EASY });
      const command = new GetObjectCommand({ Bucket: inputBucket, Key: 'inbox/a.txt' });
      const link = await getSignedUrl(s3, command, { expiresIn: 600 });
      const paths = ['_page/jobs', '_page/results.zip', '', '_page/page.js', '_page/solver-worker.js'];
      for (const url of [link, ...paths.map((path) => stack.page + path)]) {
        const read = `fetch(${JSON.stringify(url)}).then((answer) => answer.text(), () => 'refused')`;
        expect([url, await evaluate(read)]).toEqual([url, 'refused']);
        await evaluate(`fetch(${JSON.stringify(url)}, { mode: 'no-cors' }).catch(String)`);
        expect([url, new Set(await answersTo(url))]).toEqual([url, new Set(['403'])]);
      }
    });

    test('opens no WebSocket', async () => {
      for (const url of [stack.endpoint, stack.page]) {
        const opened = await evaluate(`new Promise((resolve) => {
          const socket = new WebSocket(${JSON.stringify(url.replace('http:', 'ws:'))});
          socket.onopen = () => resolve(true);
          socket.onerror = () => resolve(false);
        })`);
        expect(opened).toBe(false);
      }
    });

    test('sends no request to the queue', async () => {
      const asked = `fetch(${JSON.stringify(stack.endpoint)}, ${JSON.stringify(queueRequest())})`;
      browser.answers.length = 0;
      expect(await evaluate(`${asked}.then((answer) => answer.text(), () => 'refused')`)).toBe('refused');
      expect(new Set(await answersTo(stack.endpoint))).toEqual(new Set(['403']));
    });
  });

  test.each([
    ['of a page', '/form'],
    ['of a page without an origin', '/sandboxed'],
  ])('cannot upload by a form %s, which needs no script to read the answer', async (_name, path) => {
    const key = `inbox${path}.txt`;
    const action = await signedPut(key);
    const form = `<form method="post" enctype="text/plain" action="${action.replaceAll('&', '&amp;')}"><input name="x"></form>`;
    attackerPages.set(path, form);
    browser.answers.length = 0;
    await browser.show(`http://${REBOUND}:${attackerPort}${path}`, VIEW);
    await evaluate('document.forms[0].submit()');
    expect(await answersTo(action)).toEqual(['403']);
    expect(await headersOf(key)).toBe('NotFound');
  });

  test.each(['endpoint', 'page'] as const)(
    'that resolves its own name to the %s reads nothing',
    async (which) => {
      const own = `http://${REBOUND}:${port(stack[which])}`;
      await browser.show(`${own}/`, VIEW);
      const rebound = s3ClientFor({ ...stack, endpoint: own });
      const command = new GetObjectCommand({ Bucket: inputBucket, Key: 'inbox/a.txt' });
      const link = await getSignedUrl(rebound, command, { expiresIn: 600 });
      for (const [url, init] of [
        [`${own}/_page/jobs`, {}],
        [`${own}/`, queueRequest()],
        [link, {}],
      ]) {
        await evaluate(`fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).catch(String)`);
      }
      expect(new Set(await answersTo(own, 4))).toEqual(new Set(['421']));
      rebound.destroy();
    },
  );

  test.each([
    ['as it is stored', {}],
    ['with another type', { ResponseContentType: 'text/html', ResponseContentDisposition: 'inline' }],
    ['as XML with a style sheet', { ResponseContentType: 'application/xhtml+xml' }],
  ])('that is stored as an object is saved, and never shown: %s', async (_name, overrides) => {
    const object = { Bucket: inputBucket, Key: 'stored/report.html' };
    await s3.putObject({ ...object, Body: SCRIPT, ContentType: 'text/html' });
    const link = await getSignedUrl(s3, new GetObjectCommand({ ...object, ...overrides }), {
      expiresIn: 600,
    });
    // Chromium aborts a navigation that becomes a download.
    await expect(browser.show(link, VIEW)).rejects.toThrow(/Download is starting|ERR_ABORTED/);
  });

  test.each([
    [
      'pasted text',
      `id,puzzle\n"${MARKUP.replaceAll('"', '""')}",${EASY}\n"${MARKUP}","${MARKUP}"\n${MARKUP}\n`,
    ],
    ['a pasted drawing', `${MARKUP}\n${EASY.match(/.{9}/g)!.join(`\n`)}\n`],
    ['a pasted exact cover', `${MARKUP} b\n${MARKUP}\nb\n`],
  ])('markup and scripts in %s are shown as text', async (_name, text) => {
    await browser.show(stack.page, VIEW);
    await evaluate(`(() => {
      document.querySelector('#pasted').value = ${JSON.stringify(text)};
      document.querySelector('#paste button').click();
    })()`);
    await browser.until(
      "/\\d puzzles|olved/.test(document.querySelector('.verdict').textContent) || !document.querySelector('#answer .alert').hidden",
    );
    expect(
      await evaluate('document.querySelectorAll("img, iframe, #answer script, a[href^=javascript]").length'),
    ).toBe(0);
    expect(await evaluate('document.title')).toBe('dlx-batch: solve puzzles');
  });

  test('a name with markup is text in the list of files, which one filters and saves', async () => {
    await s3.putObject({ Bucket: inputBucket, Key: `inbox/${MARKUP}.txt`, Body: EASY });
    await browser.show(`${stack.page}`, VIEW);
    await browser.until(`document.querySelector('#job-list bdi')?.textContent !== undefined`);
    await evaluate(`(() => {
      const field = document.querySelector('#find-file');
      field.value = '<img';
      field.dispatchEvent(new Event('input'));
    })()`);
    await browser.until(
      `[...document.querySelectorAll('#job-list bdi')].map((name) => name.textContent).join() === ${JSON.stringify(`${MARKUP}.txt`)}`,
    );
    expect(await evaluate('document.images.length')).toBe(0);
    expect(await evaluate('document.title')).toBe('dlx-batch: solve puzzles');
  });

  test('only one module of the page can make markup or threads from strings', async () => {
    await browser.show(stack.page, VIEW);
    await browser.until("document.querySelector('#answer').children.length > 0");
    const attempts = [
      "document.body.innerHTML = '<b>x</b>'",
      "trustedTypes.createPolicy('puzzles', { createHTML: (text) => text })",
      "trustedTypes.createPolicy('other', {})",
      "new Worker('data:text/javascript,')",
    ];
    for (const attempt of attempts) {
      const outcome = `(() => { try { ${attempt}; return 'done'; } catch (error) { return error.name; } })()`;
      expect([attempt, await evaluate(outcome)]).toEqual([attempt, expect.stringMatching(/Error$/)]);
    }
    browser.consoleMessages.length = 0;
  });

  test('a report is shown in a sandbox, also by a link', async () => {
    const object = { Bucket: resultsBucket, Key: 'results/inbox/a.txt/0/0/report.html' };
    await s3.putObject({ ...object, Body: SCRIPT, ContentType: 'text/html' });
    await browser.show(await getSignedUrl(s3, new GetObjectCommand(object), { expiresIn: 600 }), VIEW);
    expect(await evaluate('document.title')).toBe('stored');
    expect(await evaluate('window.origin')).toBe('null');
  });
});

/** A request to the queue with the right key id, but signed with another key. */
function queueRequest() {
  const timestamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const scope = [stack.accessKeyId, timestamp.slice(0, 8), stack.region, 'sqs', 'aws4_request'].join('/');
  return {
    method: 'POST',
    headers: {
      'x-amz-target': 'AmazonSQS.SendMessageBatch',
      'x-amz-date': timestamp,
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date;x-amz-target, Signature=${'0'.repeat(64)}`,
    },
    body: JSON.stringify({
      QueueUrl: `${stack.endpoint}${LOCAL_STACK.queuePath}`,
      Entries: [{ Id: '0', MessageBody: '{}' }],
    }),
  };
}

describe('without a browser', () => {
  test('a request to the queue needs a signature, not only the name of the key', async () => {
    const { method, headers, body } = queueRequest();
    const { status, text } = await ask(stack.endpoint, method, headers, body);
    expect([status, text]).toEqual([400, expect.stringContaining('InvalidSignatureException')]);
  });

  test.each(['endpoint', 'page'] as const)('a WebSocket is refused by the %s', async (which) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      origin: `http://127.0.0.1:${attackerPort}`,
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const answer = await ask(stack[which], 'GET', headers);
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('other sites')]);
  });
});
