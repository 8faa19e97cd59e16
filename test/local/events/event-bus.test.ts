/** The event bus's HTTP API, through the real SDK. */
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventBridgeBus } from '../../../lib/aws/event-bus.ts';
import { eventBus, eventBusService } from '../../../lib/local/events/event-bus.ts';
import { CREDENTIALS, REGION } from '../../support/embedded-s3.ts';
import { type JsonEndpoint, startJsonEndpoint } from '../../support/json-endpoint.ts';

const received: string[] = [];
const allowed: string[] = [];
let fault: Error | undefined;
let endpoint: JsonEndpoint;
let client: EventBridgeClient;

beforeAll(async () => {
  const receive = (event: string) => {
    if (fault !== undefined) throw fault;
    received.push(event);
  };
  const rule = { pattern: { source: ['dlx-batch'], 'detail-type': ['JobCompleted'] }, receive };
  const now = () => new Date('2026-01-02T03:04:05.678Z');
  endpoint = await startJsonEndpoint([eventBusService(eventBus([rule], now))], {
    ...CREDENTIALS,
    region: REGION,
    isAllowed: (_role, action, resource) => {
      allowed.push(`${action} ${resource}`);
      return !resource.endsWith('/forbidden');
    },
  });
  const connection = { endpoint: endpoint.url, region: REGION, credentials: CREDENTIALS };
  client = new EventBridgeClient({ ...connection, maxAttempts: 1 });
});
afterAll(async () => {
  client.destroy();
  await endpoint.close();
});
beforeEach(() => {
  received.length = 0;
  allowed.length = 0;
  fault = undefined;
});

describe('the event bus', () => {
  it('gives an event to the rules that match, with the fields of EventBridge', async () => {
    const bus = eventBridgeBus('default', client);
    await bus.send('JobCompleted', { stack: 'Puzzles' });
    await bus.send('JobFailed', { stack: 'Puzzles' });
    expect(received.map((event) => JSON.parse(event))).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'JobCompleted',
        source: 'dlx-batch',
        account: expect.stringMatching(/^\d{12}$/),
        time: '2026-01-02T03:04:05Z',
        region: 'us-east-1',
        resources: [],
        detail: { stack: 'Puzzles' },
      },
    ]);
  });

  it.each(['default', 'mine', `arn:aws:events:${REGION}:000000000000:event-bus/mine`])(
    'asks for the permission on the bus: %s',
    async (name) => {
      await eventBridgeBus(name, client).send('JobCompleted', {});
      expect(allowed).toEqual([
        expect.stringMatching(
          new RegExp(
            `^events:PutEvents arn:aws:events:[a-z0-9-]+:\\d{12}:event-bus/${name.split('/').at(-1)}$`,
          ),
        ),
      ]);
    },
  );

  it('refuses an event without the permission', async () => {
    await expect(eventBridgeBus('forbidden', client).send('JobCompleted', {})).rejects.toThrow(
      /no permission for events:PutEvents/,
    );
  });

  it('accepts no event that a rule could not take', async () => {
    fault = new Error('the disk is full');
    await expect(eventBridgeBus('default', client).send('JobCompleted', {})).rejects.toThrow(
      'the disk is full',
    );
  });

  it('an event that is not accepted is an error, although its request succeeded', async () => {
    const send = async () => ({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: 'InternalFailure', ErrorMessage: 'x' }],
    });
    await expect(eventBridgeBus('b', { send } as never).send('JobFailed', {})).rejects.toThrow(
      'InternalFailure: x',
    );
  });

  it.each([
    ['no entries', []],
    ['no source', [{ DetailType: 'T', Detail: '{}' }]],
    ['a source of AWS', [{ Source: 'aws.s3', DetailType: 'T', Detail: '{}' }]],
    ['a detail that is no object', [{ Source: 's', DetailType: 'T', Detail: '[]' }]],
    ['a detail that is no JSON', [{ Source: 's', DetailType: 'T', Detail: '{' }]],
    ['a field that is not implemented', [{ Source: 's', DetailType: 'T', Detail: '{}', TraceHeader: 'x' }]],
    ['two events', ['a', 'b'].map((Source) => ({ Source, DetailType: 'T', Detail: '{}' }))],
  ])('refuses a request with %s', async (_, Entries) => {
    await expect(client.send(new PutEventsCommand({ Entries }))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });
});
