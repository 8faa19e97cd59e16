/**
 * The template against the limits of AWS that no local tool checks, at their worst: a stack whose name has 60 characters,
 * the longest names of resources, partition and region, and every setting on.
 *
 * `npx vitest run test/infra/limits.test.ts --reporter verbose` prints the sizes.
 */
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { DlxBatch } from '../../lib/infra/dlx-batch.ts';
import { type Json, LongestNames } from './longest-names.ts';
import { appWith, newApp, stackIn, templateWith } from './synthesised.ts';

const STACK_NAME = 'Puzzles-of-the-department-of-recreational-mathematics-inprod';
const ACCOUNT = '111122223333';
const keyArn = (id: number) =>
  `arn:aws-us-gov:kms:ap-southeast-7:${ACCOUNT}:key/${id}1234567-89ab-cdef-0123-456789abcdef`;
const FOLDER = `${'long-folder-name/'.repeat(5)}`;
const EMAILS = Array.from(
  { length: 100 },
  (_, k) => `${'operator'.repeat(4)}-${k}@${'example.'.repeat(4)}com`,
);
const OPTIONS = { engine: 'backtrack', 'max-nodes': '999999999999', solutions: '2', alphabet: 'ABCDEFGHI' };

/** Values at their longest, of settings that can be combined. */
const SETTINGS: Readonly<Record<string, unknown>> = {
  'dlx:stackName': STACK_NAME,
  'dlx:memoryMb': 10_240,
  'dlx:timeoutSeconds': 900,
  'dlx:accountConcurrency': 100_000,
  'dlx:maxConcurrency': 1000,
  'dlx:shardMemoryMb': 10_240,
  'dlx:shardConcurrency': 10_000,
  'dlx:schedule': 'cron(0,15,30,45 0,6,12,18 ? * MON,TUE,WED,THU,FRI *)',
  'dlx:scheduleTimeZone': 'America/Argentina/ComodRivadavia',
  'dlx:scheduleFlexibleMinutes': 1440,
  'dlx:scheduleEnabled': true,
  'dlx:graceMinutes': 10_080,
  'dlx:runOverdueHours': 168,
  'dlx:maxUnpackedMb': 1_000_000_000,
  'dlx:maxWritten': 1_000_000_000_000,
  'dlx:maxOutputMb': 1_000_000_000,
  'dlx:maxJobNodes': 999_999_999_999_999,
  'dlx:uploadVersionDays': 36_500,
  'dlx:noncurrentVersionDays': 36_500,
  'dlx:logRetentionDays': 3653,
  'dlx:tracing': true,
  'dlx:dashboard': true,
  'dlx:permissionsBoundaryArn': `arn:aws-us-gov:iam::${ACCOUNT}:policy/${'b'.repeat(128)}`,
  'dlx:defaultOptions': OPTIONS,
  // Each is on each of some hundred resources: 50 of the maximum length would exceed the size of a template.
  'dlx:tags': Object.fromEntries(Array.from({ length: 50 }, (_, k) => [`cost-centre-${k}`, 'v'.repeat(30)])),
  'dlx:alarmTopicArn': `arn:aws-us-gov:sns:ap-southeast-7:${ACCOUNT}:${'t'.repeat(256)}`,
  'dlx:alarmEmails': EMAILS,
  'dlx:eventBus': `arn:aws-us-gov:events:ap-southeast-7:${ACCOUNT}:event-bus/${'b'.repeat(256)}`,
  'dlx:eventEmails': EMAILS,
  'dlx:eventEmailTypes': ['JobCompleted', 'JobRejected', 'JobFailed', 'RunCompleted'],
  // Without the warnings about imported resources in the output.
  '@aws-cdk/core:annotationsInValidationReport': false,
};
/** Of these, a stack has either. */
const OWN_BUCKETS = {
  'dlx:encryptionKey': 'create',
  'dlx:inputExpiryDays': 36_500,
  'dlx:resultExpiryDays': 36_500,
};
const EXISTING_BUCKETS = {
  'dlx:encryptionKey': keyArn(1),
  'dlx:puzzleBucketName': 'p'.repeat(63),
  'dlx:puzzleBucketKeyArn': keyArn(2),
  'dlx:resultsBucketName': 'r'.repeat(63),
  'dlx:resultsBucketKeyArn': keyArn(3),
};

/** The construct in another app, under a path that is as long as the name of the stack. */
function templateOfOtherApp(): Json {
  const stack = new Stack(newApp({}), STACK_NAME);
  const bucket = (id: string) =>
    new Bucket(stack, id, { versioned: true, encryptionKey: new Key(stack, `${id}Key`) });
  new DlxBatch(stack, STACK_NAME.replaceAll('-', ''), {
    puzzleBucket: bucket('In'),
    resultsBucket: bucket('Out'),
    inboxPrefix: `${FOLDER}inbox/`,
    scheduledPrefix: `${FOLDER}later/`,
    resultsPrefix: FOLDER,
    encryptionKey: new Key(stack, 'Key'),
    alarmTopic: new Topic(stack, 'OnCall'),
    eventBus: new EventBus(stack, 'Bus'),
    alarmEmails: EMAILS,
    eventEmails: EMAILS,
    tracing: true,
    defaultOptions: OPTIONS,
    permissionsBoundaryArn: SETTINGS['dlx:permissionsBoundaryArn'] as string,
  });
  return Template.fromStack(stack).toJSON();
}

const TEMPLATES: Readonly<Record<string, Json>> = {
  'own buckets': templateWith({ ...SETTINGS, ...OWN_BUCKETS }).toJSON(),
  'existing buckets': templateWith({ ...SETTINGS, ...EXISTING_BUCKETS }).toJSON(),
  'another app': templateOfOtherApp(),
};

/** One limit: what is measured in resources of a type, with all references resolved. */
interface Limit {
  readonly what: string;
  readonly max: number;
  readonly source: string;
  readonly type: RegExp;
  /** Undefined for a resource without the property. */
  readonly size: (properties: Json, id: string, names: LongestNames) => number | undefined;
}

const length = (value: string | undefined) => value?.length;
const json = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
const bytes = (value: Json) => Buffer.byteLength(json(value));
/** IAM does not count white space. */
const characters = (value: Json) => json(value).replaceAll(/\s/g, '').length;
const statements = ({ Statement }: Json): Json[] => [Statement].flat();

const LIMITS: readonly Limit[] = [
  {
    what: 'managed policy, characters',
    max: 6144,
    source: 'IAM User Guide, IAM and STS character limits',
    type: /^AWS::IAM::ManagedPolicy$/,
    size: ({ PolicyDocument }) => characters(PolicyDocument),
  },
  {
    what: 'managed policy, description',
    max: 1000,
    source: 'IAM API Reference, CreatePolicy',
    type: /^AWS::IAM::ManagedPolicy$/,
    size: ({ Description }) => length(Description),
  },
  {
    what: 'trust policy of a role, characters',
    max: 2048,
    source: 'IAM User Guide, IAM and STS quotas',
    type: /^AWS::IAM::Role$/,
    size: ({ AssumeRolePolicyDocument }) => characters(AssumeRolePolicyDocument),
  },
  {
    what: 'bucket policy, bytes',
    max: 20 * 1024,
    source: 'S3 User Guide, Policies and permissions in Amazon S3',
    type: /^AWS::S3::BucketPolicy$/,
    size: ({ PolicyDocument }) => bytes(PolicyDocument),
  },
  {
    what: 'lifecycle rules of a bucket',
    max: 1000,
    source: 'S3 API Reference, PutBucketLifecycleConfiguration',
    type: /^AWS::S3::Bucket$/,
    size: ({ LifecycleConfiguration }) => LifecycleConfiguration?.Rules.length,
  },
  {
    what: 'key policy, bytes',
    max: 32 * 1024,
    source: 'KMS Developer Guide, Resource quotas',
    type: /^AWS::KMS::Key$/,
    size: ({ KeyPolicy }) => bytes(KeyPolicy),
  },
  {
    what: 'queue policy, bytes',
    max: 8192,
    source: 'SQS Developer Guide, Policy quotas',
    type: /^AWS::SQS::QueuePolicy$/,
    size: ({ PolicyDocument }) => bytes(PolicyDocument),
  },
  {
    what: 'queue policy, conditions',
    max: 10,
    source: 'SQS Developer Guide, Policy quotas',
    type: /^AWS::SQS::QueuePolicy$/,
    size: ({ PolicyDocument }) => statements(PolicyDocument).filter(({ Condition }) => Condition).length,
  },
  {
    what: 'topic policy, bytes',
    max: 30 * 1024,
    source: 'SNS Developer Guide, SetTopicAttributes: 30 KB',
    type: /^AWS::SNS::TopicPolicy$/,
    size: ({ PolicyDocument }) => bytes(PolicyDocument),
  },
  {
    what: 'display name of a topic',
    max: 100,
    source: 'SNS API Reference, CreateTopic',
    type: /^AWS::SNS::Topic$/,
    size: ({ DisplayName }) => length(DisplayName),
  },
  {
    what: 'state machine definition, bytes',
    max: 1024 * 1024,
    source: 'Step Functions Developer Guide, Service quotas',
    type: /^AWS::StepFunctions::StateMachine$/,
    size: ({ DefinitionString }) => bytes(DefinitionString),
  },
  {
    what: 'event pattern, characters',
    max: 2048,
    source: 'EventBridge User Guide, Quotas',
    type: /^AWS::Events::Rule$/,
    size: ({ EventPattern }) => EventPattern && json(EventPattern).length,
  },
  {
    what: 'targets of a rule',
    max: 5,
    source: 'EventBridge User Guide, Quotas',
    type: /^AWS::Events::Rule$/,
    size: ({ Targets }) => Targets.length,
  },
  {
    what: 'description of a rule or a schedule',
    max: 512,
    source: 'EventBridge API Reference, PutRule; Scheduler API Reference, CreateSchedule',
    type: /^AWS::(Events::Rule|Scheduler::Schedule)$/,
    size: ({ Description }) => length(Description),
  },
  {
    what: 'environment of a function, bytes',
    max: 4096,
    source: 'Lambda Developer Guide, Quotas',
    type: /^AWS::Lambda::Function$/,
    size: ({ Environment }) => bytes(Environment.Variables),
  },
  {
    what: 'description of a function',
    max: 256,
    source: 'Lambda API Reference, CreateFunction',
    type: /^AWS::Lambda::Function$/,
    size: ({ Description }) => length(Description),
  },
  {
    what: 'description of an alarm',
    max: 1024,
    source: 'CloudWatch API Reference, PutMetricAlarm',
    type: /^AWS::CloudWatch::Alarm$/,
    size: ({ AlarmDescription }) => length(AlarmDescription),
  },
  {
    what: 'actions of an alarm',
    max: 5,
    source: 'CloudWatch User Guide, Service quotas',
    type: /^AWS::CloudWatch::Alarm$/,
    size: ({ AlarmActions = [] }) => AlarmActions.length,
  },
  {
    what: 'widgets of a dashboard',
    max: 500,
    source: 'CloudWatch User Guide, Service quotas',
    type: /^AWS::CloudWatch::Dashboard$/,
    size: ({ DashboardBody }) => JSON.parse(DashboardBody).widgets.length,
  },
  {
    what: 'metrics of a dashboard',
    max: 2500,
    source: 'CloudWatch User Guide, Service quotas',
    type: /^AWS::CloudWatch::Dashboard$/,
    size: ({ DashboardBody }) =>
      JSON.parse(DashboardBody).widgets.reduce(
        (sum: number, { properties }: Json) => sum + (properties.metrics ?? []).length,
        0,
      ),
  },
  {
    what: 'name of a saved query',
    max: 255,
    source: 'CloudWatch Logs API Reference, PutQueryDefinition',
    type: /^AWS::Logs::QueryDefinition$/,
    size: ({ Name }) => length(Name),
  },
  {
    what: 'text of a saved query',
    max: 10_000,
    source: 'CloudWatch Logs API Reference, PutQueryDefinition',
    type: /^AWS::Logs::QueryDefinition$/,
    size: ({ QueryString }) => length(QueryString),
  },
  {
    what: 'name of a log group',
    max: 512,
    source: 'CloudWatch Logs API Reference, CreateLogGroup',
    type: /^AWS::Logs::LogGroup$/,
    size: (_, id, names) => names.name(id).length,
  },
];

/** Sizes of one kind in all templates: the largest for each id. */
function sizesOf({ type, size }: Limit): readonly (readonly [string, number])[] {
  const sizes = new Map<string, number>();
  for (const template of Object.values(TEMPLATES)) {
    const names = new LongestNames(template, STACK_NAME);
    for (const [id, { Type, Properties = {} }] of Object.entries<Json>(template.Resources)) {
      if (!type.test(Type)) continue;
      const found = size(names.resolve(Properties), id, names);
      const name = id.replace(/^Puzzlesofthe.*?prod/, '').replace(/\w{8}$/, '');
      if (found !== undefined) sizes.set(name, Math.max(found, sizes.get(name) ?? 0));
    }
  }
  return [...sizes].toSorted(([, a], [, b]) => b - a);
}

describe('sizes within a limit of AWS', () => {
  const rows = LIMITS.map((limit) => {
    const sizes = sizesOf(limit);
    const shown = sizes.slice(0, 4).map(([name, size]) => `${name} ${size}`);
    return { ...limit, sizes, title: `${limit.what}: ${shown.join(', ')} of ${limit.max}` };
  });

  for (const { title, sizes, max, source } of rows) {
    it(title, () => {
      expect(sizes).not.toEqual([]);
      expect(
        sizes.filter(([, size]) => size > max),
        source,
      ).toEqual([]);
    });
  }
});

describe.each(Object.entries(TEMPLATES))('the template with %s', (_, template) => {
  const names = new LongestNames(template, STACK_NAME);
  const resources = Object.entries<Json>(template.Resources);

  /** The inline policies of each role together. */
  const inlineSizes = resources
    .filter(([, { Type }]) => Type === 'AWS::IAM::Role')
    .map(([role]) =>
      resources
        .filter(([, { Type, Properties }]) => Type === 'AWS::IAM::Policy' && Properties.Roles[0].Ref === role)
        .reduce((sum, [, each]) => sum + characters(names.resolve(each.Properties.PolicyDocument)), 0),
    );

  /** IAM User Guide, IAM and STS character limits; CloudFormation User Guide, Quotas. */
  it.each([
    { what: 'characters in the inline policies of a role', max: 10_240, found: Math.max(...inlineSizes) },
    { what: 'resources', max: 500, found: resources.length },
    { what: 'outputs', max: 200, found: Object.keys(template.Outputs ?? {}).length },
    { what: 'parameters', max: 200, found: Object.keys(template.Parameters ?? {}).length },
    // As the library writes it.
    { what: 'bytes', max: 1_000_000, found: JSON.stringify(template, undefined, 1).length },
    {
      what: 'characters of the longest logical id',
      max: 255,
      found: Math.max(...resources.map(([id]) => id.length)),
    },
  ])('has at most $max $what: $found', ({ found, max }) => {
    expect(found).toBeLessThanOrEqual(max);
  });
});

it('every setting is on', () => {
  const all = { ...SETTINGS, ...OWN_BUCKETS, ...EXISTING_BUCKETS };
  const known = /expected one of (.*);/
    .exec(String(errorOf(() => stackIn(appWith({ 'dlx:unknown': 1 })))))![1]!
    .split(', ');
  expect(known.filter((name) => !Object.hasOwn(all, name))).toEqual([]);
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
}
