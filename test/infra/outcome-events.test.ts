/** The events of outcomes in the template: their bus, who may send them, the e-mails, and the rule of the README. */
import { readFileSync } from 'node:fs';
import * as cdk from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT, EVENT_NOT_SENT_ERROR } from '../../lib/batch/names.ts';
import { DlxBatch } from '../../lib/infra/dlx-batch.ts';
import { eventMatcher } from '../../lib/local/events/event-pattern.ts';
import { RecordedEvents } from '../support/event-bus.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { EASY } from '../support/puzzles.ts';
import { deliver, upload } from '../support/uploads.ts';
import { newApp, resourceOf, templateWith } from './synthesised.ts';

const SENDERS = ['solve-batch', 'plan-shards', 'merge-shards', 'run-step'];
const defaults = templateWith();

/** The functions that have a bus, with what their roles may send to. */
function sendersIn(template: Template) {
  const policies = Object.values(template.findResources('AWS::IAM::Policy'));
  return Object.values(template.findResources('AWS::Lambda::Function')).flatMap(({ Properties }) => {
    const bus = Properties.Environment.Variables[ENVIRONMENT.eventBus];
    const role = Properties.Role['Fn::GetAtt'][0];
    const granted = policies
      .filter((policy) => policy.Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role))
      .flatMap((policy) => policy.Properties.PolicyDocument.Statement)
      .filter(({ Action }) => [Action].flat().some((action: string) => action.startsWith('events:')));
    const name: string = Properties.Handler.replace('.handler', '');
    return bus === undefined && granted.length === 0 ? [] : [{ name, bus, granted }];
  });
}

const DEFAULT_BUS = {
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      ':events:',
      { Ref: 'AWS::Region' },
      ':',
      { Ref: 'AWS::AccountId' },
      ':event-bus/default',
    ],
  ],
};

/** On any bus, but with one source. */
const PUT_EVENTS = {
  Action: 'events:PutEvents',
  Effect: 'Allow',
  Resource: '*',
  Condition: { StringEquals: { 'events:source': 'dlx-batch' } },
};

describe('the functions that commit, reject or fail jobs, and end runs', () => {
  it('send to the default bus, and may do nothing else with events', () => {
    const senders = sendersIn(defaults);
    expect(senders.map(({ name }) => name).sort()).toEqual([...SENDERS].sort());
    for (const { bus, granted } of senders) {
      expect(bus).toEqual(DEFAULT_BUS);
      expect(granted).toEqual([PUT_EVENTS]);
    }
  });

  it.each(['mine', 'arn:aws:events:eu-west-1:111122223333:event-bus/mine'])('send to the bus %s', (name) => {
    const senders = sendersIn(templateWith({ 'dlx:eventBus': name }));
    expect(senders).toHaveLength(SENDERS.length);
    for (const { bus, granted } of senders) {
      expect(JSON.stringify(bus)).toMatch(/:event-bus\/mine"/);
      expect(granted).toEqual([PUT_EVENTS]);
    }
  });
});

describe('a state that sends events', () => {
  it.each([
    ['SolveLargeArn', ['Merge', 'Plan']],
    ['BulkRunArn', ['Report']],
  ])('of %s is repeated for a day while only its event is missing', (output, states) => {
    const parts: (string | object)[] = resourceOf(defaults, output).Properties.DefinitionString[
      'Fn::Join'
    ][1];
    const { States } = JSON.parse(parts.map((part) => (typeof part === 'string' ? part : 'x')).join('')) as {
      States: Record<string, { Retry?: { ErrorEquals: string[] }[] }>;
    };
    const retries = Object.entries(States).flatMap(([name, { Retry = [] }]) =>
      Retry.filter(({ ErrorEquals }) => ErrorEquals.includes(EVENT_NOT_SENT_ERROR)).map((retry) => ({
        name,
        ...retry,
      })),
    );
    expect(retries.map(({ name }) => name).sort()).toEqual(states);
    for (const retry of retries) {
      // Longer than a day: 99 waits of 15 minutes.
      expect(retry).toMatchObject({
        IntervalSeconds: 10,
        BackoffRate: 4,
        MaxDelaySeconds: 900,
        MaxAttempts: 100,
      });
    }
  });
});

describe('e-mails', () => {
  it('need no topic, subscription or rule without addresses', () => {
    for (const type of ['AWS::SNS::Topic', 'AWS::SNS::Subscription']) {
      expect(defaults.findResources(type)).toEqual({});
    }
  });

  it('are encrypted with the key of the stack, which the bus may use', () => {
    const template = templateWith({ 'dlx:eventEmails': 'a@example.com', 'dlx:encryptionKey': 'create' });
    const [topic] = Object.values(template.findResources('AWS::SNS::Topic'));
    const [[id, key]] = Object.entries(template.findResources('AWS::KMS::Key')) as [[string, typeof topic]];
    expect(topic!.Properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    expect(key!.Properties.KeyPolicy.Statement).toContainEqual({
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Resource: '*',
    });
  });

  it('are sent for the chosen events of this stack', () => {
    const template = templateWith({
      'dlx:stackName': 'Puzzles',
      'dlx:eventEmails': 'a@example.com,b@example.com',
      'dlx:eventEmailTypes': 'JobFailed',
    });
    const [[topic]] = Object.entries(template.findResources('AWS::SNS::Topic')) as [[string, unknown]];
    const subscriptions = Object.values(template.findResources('AWS::SNS::Subscription'));
    expect(subscriptions.map(({ Properties }) => Properties)).toEqual(
      ['a@example.com', 'b@example.com'].map((Endpoint) => ({
        Endpoint,
        Protocol: 'email',
        TopicArn: { Ref: topic },
      })),
    );
    template.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: 'default',
      EventPattern: { source: ['dlx-batch'], 'detail-type': ['JobFailed'], detail: { stack: ['Puzzles'] } },
      Targets: [
        {
          Arn: { Ref: topic },
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^EventsUndelivered'), 'Arn'] } },
        },
      ],
    });
    const [policy] = Object.values(template.findResources('AWS::SNS::TopicPolicy'));
    const statements: { Effect: string; Principal: object; Action: string }[] =
      policy!.Properties.PolicyDocument.Statement;
    expect(statements).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
    expect(statements.filter(({ Effect }) => Effect === 'Allow')).toMatchObject([
      { Principal: { Service: 'events.amazonaws.com' }, Action: 'sns:Publish' },
    ]);
  });

  it.each([
    [
      { eventEmails: ['ops'] },
      'eventEmails is ["ops"]: expected a list of 1 to 100 different e-mail addresses',
    ],
    [{ eventEmailTypes: [] }, 'eventEmailTypes is []: expected a list of one or more of JobCompleted'],
  ])('have valid settings: %j', (props, message) => {
    expect(() => new DlxBatch(new cdk.Stack(newApp({}), 'Shop'), 'Puzzles', props)).toThrow(message);
  });
});

describe('the rule of the README', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, code] = /```ts\n(new Rule\([\s\S]*?)```/.exec(readme)!;

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
    const matches = eventMatcher(EventPattern);
    const started = events.sent.filter(({ type, detail }) =>
      matches({ source: 'dlx-batch', 'detail-type': type, detail }),
    );
    expect(started.map(({ detail }) => detail.input.key)).toEqual(['inbox/print/a.txt']);
  });
});
