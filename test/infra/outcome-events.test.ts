/** The rule of docs/how-to/events.md. */
import { readFileSync } from 'node:fs';
import * as cdk from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { DlxBatch } from '../../lib/infra/dlx-batch.ts';
import { RecordedEvents } from '../support/event-bus.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { EASY } from '../support/puzzles.ts';
import { deliver, upload } from '../support/uploads.ts';
import { newApp } from './synthesised.ts';

describe('the rule of the documents', () => {
  const page = readFileSync(new URL('../../docs/how-to/events.md', import.meta.url), 'utf8');
  const [, code] = /```ts\n(new Rule\([\s\S]*?)```/.exec(page)!;

  /** The rule in an app with a bus of its own. */
  function synthesised() {
    const stack = new cdk.Stack(newApp({}), 'Shop');
    const eventBus = new EventBus(stack, 'Mine');
    const puzzles = new DlxBatch(stack, 'Puzzles', { eventBus });
    const printer = Lambda.fromFunctionAttributes(stack, 'Printer', {
      functionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:printer',
      sameEnvironment: true,
    });
    new Function('Rule', 'LambdaFunction', 'stack', 'puzzles', 'printer', code!)(
      Rule,
      LambdaFunction,
      stack,
      puzzles,
      printer,
    );
    const rules = Template.fromStack(stack).findResources('AWS::Events::Rule');
    return Object.entries(rules).find(([id]) => id.startsWith('Print'))![1].Properties;
  }

  it('starts the function for the events of its folder, and for no other', async () => {
    const { EventPattern, EventBusName, Targets } = synthesised();
    expect(EventBusName).toEqual({ Ref: expect.stringMatching(/^Mine/) });
    expect(Targets).toMatchObject([{ Arn: expect.stringContaining('printer') }]);
    const events = new RecordedEvents();
    const buckets = new MemoryBuckets();
    for (const [key, text] of [
      ['inbox/print/a.txt', EASY],
      ['inbox/print/prose.txt', 'Dear all,\n'],
      ['inbox/print/empty.txt', ''],
      ['inbox/b.txt', EASY],
    ] as const) {
      await deliver(buckets, upload(buckets, key, text), { dependencies: { events } });
    }
    const sent = events.sent.map(({ type, detail }) => ({
      source: 'dlx-batch',
      'detail-type': type,
      detail,
    }));
    const started = sent.filter((event) => accepts(EventPattern, JSON.parse(JSON.stringify(event))));
    expect(started).toMatchObject([{ detail: { input: { key: 'inbox/print/a.txt' } } }]);
  });
});

/** Whether an event pattern of EventBridge accepts a value, with the comparisons that the rule uses. */
function accepts(pattern: unknown, value: unknown): boolean {
  if (!Array.isArray(pattern)) {
    const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
    return Object.entries(pattern as object).every(([name, of]) => accepts(of, fields[name]));
  }
  return pattern.some((expected) => {
    if (typeof expected !== 'object') return expected === value;
    const { prefix, numeric } = expected;
    if (prefix !== undefined) return typeof value === 'string' && value.startsWith(prefix);
    expect(numeric[0]).toBe('>');
    return Number(value) > numeric[1];
  });
}
