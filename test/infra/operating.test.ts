/** The dashboard, the alarms and their runbook, saved queries, and the policies of users. */
import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { METRIC_NAMESPACE, METRICS, STATUS_METRICS } from '../../lib/batch/names.ts';
import { PUZZLE_STATUSES } from '../../lib/batch/solving/puzzle-status.ts';
import { type FoundMetric, metricsIn } from '../support/template-metrics.ts';
import { allows, Resources } from './resources.ts';
import { outputLogicalId, templateWith } from './synthesised.ts';

type Json = ReturnType<Template['toJSON']>;

const template = templateWith({
  'dlx:alarmTopicArn': 'arn:aws:sns:eu-west-1:111122223333:on-call',
  'dlx:eventEmails': 'ops@example.com',
  'dlx:dashboard': true,
});
const resources: Record<string, { Type: string; Properties: Json }> = template.toJSON().Resources;
const ofType = (type: string) =>
  Object.values(template.findResources(type)).map(({ Properties }) => Properties);
const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm'));
const metrics = metricsIn(resources);

/**
 * The metrics of AWS's services in use, and their dimension. (CloudWatch metrics in the guides of Lambda, SQS and Step
 * Functions.)
 */
const AWS_METRICS: Readonly<
  Record<string, { readonly dimension: string; readonly names: readonly string[] }>
> = {
  'AWS/Lambda': {
    dimension: 'FunctionName',
    names: ['ConcurrentExecutions', 'Duration', 'Errors', 'Invocations', 'Throttles'],
  },
  'AWS/SQS': {
    dimension: 'QueueName',
    names: [
      'ApproximateAgeOfOldestMessage',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesVisible',
    ],
  },
  'AWS/States': {
    dimension: 'StateMachineArn',
    names: [
      'ExecutionsAborted',
      'ExecutionsFailed',
      'ExecutionsStarted',
      'ExecutionsSucceeded',
      'ExecutionsTimedOut',
    ],
  },
};

describe('a metric of an alarm or the dashboard', () => {
  const keyOf = ({ namespace, name }: FoundMetric) => `${namespace} ${name}`;
  const distinct = [...new Map(metrics.map((metric) => [keyOf(metric), metric])).values()];

  it('is one of the names that the functions use, or of AWS', () => {
    const written = [...Object.values(METRICS), ...Object.values(STATUS_METRICS)].map(
      (name) => `${METRIC_NAMESPACE} ${name}`,
    );
    const ofAws = Object.entries(AWS_METRICS).flatMap(([namespace, { names }]) =>
      names.map((name) => `${namespace} ${name}`),
    );
    expect(distinct.map(keyOf).filter((key) => ![...written, ...ofAws].includes(key))).toEqual([]);
    // No metric is listed above without a use.
    expect(ofAws.filter((key) => !distinct.map(keyOf).includes(key))).toEqual([]);
  });

  it.each(Object.entries(AWS_METRICS))(
    'of %s has the dimension of a resource of the stack',
    (namespace, { dimension }) => {
      const types = {
        FunctionName: 'Lambda::Function',
        QueueName: 'SQS::Queue',
        StateMachineArn: 'StepFunctions::StateMachine',
      };
      const ids = Object.keys(template.findResources(`AWS::${types[dimension as keyof typeof types]}`));
      for (const metric of metrics.filter((each) => each.namespace === namespace)) {
        expect(Object.keys(metric.dimensions)).toEqual([dimension]);
        expect(ids).toContain(metric.dimensions[dimension]);
      }
    },
  );

  it('of every status of a puzzle is on the dashboard', () => {
    expect(Object.keys(STATUS_METRICS)).toEqual([...PUZZLE_STATUSES]);
    const onDashboard = metrics.filter(({ isOnDashboard }) => isOnDashboard).map(({ name }) => name);
    expect(onDashboard).toEqual(expect.arrayContaining(Object.values(STATUS_METRICS)));
  });
});

describe('the runbook', () => {
  const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
  const entries = runbook.split(/^## /m).slice(1);
  const titles = entries.map((entry) => entry.slice(0, entry.indexOf('\n')));
  const alarmNames = alarms.map(([id, { Properties }]) => ({
    id,
    description: Properties.AlarmDescription as string,
  }));

  it('has an entry for each alarm, which its description names, and no other entry', () => {
    const linked = alarmNames.map(
      ({ description }) =>
        / Runbook in the package dlx-batch: docs\/runbook\.md#(\w+)$/.exec(description)?.[1],
    );
    expect(linked).not.toContain(undefined);
    expect([...new Set(linked)].sort()).toEqual(titles.map((title) => title.toLowerCase()).sort());
    for (const { id, description } of alarmNames) {
      expect(id.toLowerCase()).toContain(`alarms${description.slice(description.indexOf('#') + 1)}`);
      expect(description.length).toBeLessThanOrEqual(1024);
    }
  });

  it('is linked from the page about operating, entry by entry', () => {
    const page = readFileSync(new URL('../../docs/how-to/operate.md', import.meta.url), 'utf8');
    const links = [...page.matchAll(/\[(\w+)\]\(\.\.\/runbook\.md#(\w+)\)/g)];
    expect(links.map(([, title]) => title).sort()).toEqual([...titles].sort());
    for (const [, title, anchor] of links) expect(anchor).toBe(title!.toLowerCase());
  });

  it.each(entries.map((entry, index) => ({ title: titles[index], entry })))(
    'says what the alarm means, where to look, and what to do: $title',
    ({ entry }) => {
      expect(entry.match(/^\*\*[^*]+\*\*/gm)).toEqual([
        '**Meaning.**',
        '**Where to look.**',
        '**What to do.**',
      ]);
    },
  );

  it('names only saved queries and widgets that exist', () => {
    const queries = ofType('AWS::Logs::QueryDefinition').map(({ Name }) => Name.split('/').at(-1));
    const widgets = JSON.stringify(ofType('AWS::CloudWatch::Dashboard')[0].DashboardBody);
    const quoted = [...runbook.replaceAll('\n', ' ').matchAll(/"([A-Z][^"]+)"/g)].map(([, text]) => text!);
    const elsewhere = ['Saved queries', 'Concurrent executions', 'Limits'];
    expect(quoted.length).toBeGreaterThan(5);
    expect(
      quoted.filter(
        (text) =>
          !queries.includes(text) &&
          !widgets.includes(`"${text}`) &&
          !widgets.includes(`\\"${text}`) &&
          !elsewhere.includes(text),
      ),
    ).toEqual([]);
  });
});

/**
 * What the runbook tells an operator to do or to look at, and what that needs. Commands that read no stack, and those of
 * deployments, need nothing of these policies; `test/local/access/user-policies.nightly.test.ts` runs the commands.
 */
const TASKS = new Map(
  readFileSync(new URL('runbook-tasks.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as [task: string, actions: string]),
);

/** Words of the runbook that name something to do in an account, or a place to look at. */
const INSTRUCTION =
  /npx dlx-batch [a-z]+|npx cdk [a-z]+|aws [a-z]+ [a-z-]+(?= --)|saved query|log of (?=`)|metric (?=`)|cloudtrail|service quotas|(?<=`)(?:rejects)\/|(?:[a-z]+ )?history of the execution|eventbridge scheduler|messages of the queue|delete [a-z]+ [a-z]+/gi;

/** Prefixes of actions, where they differ from the name of the client. */
const PREFIXES: Readonly<Record<string, string>> = { eventbridge: 'events', sfn: 'states' };
/** Actions, where they differ from the name of the operation. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  's3:GetBucketNotificationConfiguration': 's3:GetBucketNotification',
};

describe('a policy of users', () => {
  const byName = new Resources(template.toJSON());
  const statements = ['Read', 'Operate', 'Examine'].flatMap((name) =>
    byName.statementsOf(outputLogicalId(template, `${name}PolicyArn`)),
  );

  it('allows operators what the runbook tells them to do', () => {
    const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    const found = runbook.match(INSTRUCTION)!.map((text) =>
      text
        .toLowerCase()
        .trim()
        .replace(/^the history/, 'history'),
    );
    expect([...new Set(found)].sort()).toEqual([...TASKS.keys()].sort());
    const needed = [...TASKS.values()].flatMap((actions) => actions.match(/\S+/g) ?? []);
    const missing = needed.filter((action) => !statements.some((each) => each.actions.includes(action)));
    expect(missing).toEqual([]);
    // Every queue has an entry that says to read and delete its messages.
    for (const id of Object.keys(template.findResources('AWS::SQS::Queue'))) {
      expect(allows(statements, 'sqs:DeleteMessage', `<${id}.Arn>`), id).toBe(true);
    }
  });

  it('allows all that doctor reads, except to uploaders', () => {
    const source = readFileSync(new URL('../../lib/aws/stack-reader.ts', import.meta.url), 'utf8');
    const imports = source.matchAll(/import \{([^}]*)\} from '@aws-sdk\/client-([\w-]+)'/g);
    const read = [...imports].flatMap(([, names, client]) =>
      [...names!.matchAll(/(\w+)Command\b|paginate(\w+)/g)].map(
        ([, command, listing]) => `${PREFIXES[client!] ?? client}:${command ?? listing}`,
      ),
    );
    expect(read.length).toBeGreaterThan(15);
    const allowed = statements.flatMap(({ actions }) => actions);
    // Everybody may ask who they are.
    const missing = read
      .map((action) => OTHER_NAMES[action] ?? action)
      .filter((action) => !allowed.includes(action));
    expect(missing).toEqual(['sts:GetCallerIdentity']);
  });
});
