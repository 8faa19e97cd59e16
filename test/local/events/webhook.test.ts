/** Events posted to a receiver that fails, hangs, restarts and disappears. */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Webhook, type WebhookOptions } from '../../../lib/local/events/webhook.ts';
import { eventually } from '../../support/eventually.ts';
import { scriptedServer } from '../../support/scripted-server.ts';
import { temporaryFolder } from '../fixture-function.ts';
import { ManualClock } from '../manual-clock.ts';

const EVENT = JSON.stringify({ 'detail-type': 'JobCompleted', detail: { input: { key: 'inbox/a.txt' } } });
const RUN = JSON.stringify({ 'detail-type': 'RunCompleted', detail: { runId: '2026-01-02' } });

/** A receiver that answers with the next status, or not at all; then with 200. */
async function startReceiver(answers: (number | 'never')[] = []) {
  const bodies: string[] = [];
  const { endpoint } = await scriptedServer(async (response, request) => {
    const body = await text(request);
    const answer = answers.shift() ?? 200;
    if (answer === 'never') return;
    if (answer === 200) bodies.push(body);
    response.writeHead(answer, { Location: '/elsewhere' }).end('thank you');
  });
  return { url: `${endpoint}/events`, bodies };
}

function startWebhook(url: string, changes: Partial<WebhookOptions> = {}) {
  const troubles: string[] = [];
  const clock = new ManualClock();
  const webhook = new Webhook({
    url,
    journal: join(temporaryFolder(), 'webhook.jsonl'),
    onTrouble: (message) => void troubles.push(message),
    clock,
    ...changes,
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= webhook.close());
  onTestFinished(close);
  return { webhook, troubles, clock, close };
}

describe('a webhook', () => {
  it('posts each event as it is', async () => {
    const { url, bodies } = await startReceiver();
    const { webhook, troubles } = startWebhook(url);
    webhook.send(EVENT);
    webhook.send(RUN);
    await eventually(() => expect(bodies.toSorted()).toEqual([EVENT, RUN].toSorted()));
    expect(troubles).toEqual([]);
  });

  it('posts again until an event is accepted, and reports an outage once, and its end', async () => {
    const { url, bodies } = await startReceiver([500, 302, 404, 429]);
    const { webhook, troubles, clock } = startWebhook(url);
    webhook.send(EVENT);
    await eventually(() => {
      clock.advance(60_000);
      // At least once: twice if the minute passes while a post is under way.
      expect([...new Set(bodies)]).toEqual([EVENT]);
    });
    await eventually(() =>
      expect(troubles).toEqual([
        `webhook ${url} answered 500; JobCompleted of inbox/a.txt and later events are sent again until they are accepted, for a day`,
        `webhook ${url} accepts events again`,
      ]),
    );
  });

  it('does not wait for a receiver that does not answer', async () => {
    const { url, bodies } = await startReceiver(['never']);
    const { webhook, close } = startWebhook(url);
    webhook.send(EVENT);
    webhook.send(RUN);
    await eventually(() => expect(bodies).toHaveLength(1));
    await close();
  });

  it('posts after a restart what was not accepted before', async () => {
    const journal = join(temporaryFolder(), 'webhook.jsonl');
    // No server listens on this port.
    const first = startWebhook('http://127.0.0.1:1/', { journal });
    first.webhook.send(RUN);
    await eventually(() =>
      expect(first.troubles).toEqual([
        expect.stringMatching(
          /^webhook http:\/\/127\.0\.0\.1:1\/ cannot be reached: .+; RunCompleted of run 2026-01-02 and/,
        ),
      ]),
    );
    await first.close();
    const { url, bodies } = await startReceiver();
    const second = startWebhook(url, { journal });
    await eventually(() => expect(bodies).toEqual([RUN]));
    await second.close();
    startWebhook(url, { journal });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(bodies).toEqual([RUN]);
  });

  it('drops an event that was not accepted for a day, and says so', async () => {
    const { url, bodies } = await startReceiver(Array(5000).fill(503));
    const { webhook, troubles, clock } = startWebhook(url);
    webhook.send(EVENT);
    await eventually(() => expect(troubles).toEqual([expect.stringContaining('for a day')]));
    clock.advance(24 * 3_600_000);
    await eventually(() =>
      expect(troubles).toContain(
        `webhook ${url} answered 503; JobCompleted of inbox/a.txt was not accepted for a day, and is dropped`,
      ),
    );
    expect(bodies).toEqual([]);
  });
});
