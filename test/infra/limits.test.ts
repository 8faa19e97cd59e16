/**
 * The template against the limits of AWS that no local tool checks (`limits.tsv`), at their worst: a stack whose name has 60 characters,
 * the longest names of resources, partition and region, and every setting on.
 *
 * `npx vitest run test/infra/limits.test.ts --reporter verbose` prints the sizes.
 */
import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { DlxBatch } from '../../lib/infra/dlx-batch.ts';
import { SETTINGS as SETTING_SCHEMAS } from '../../lib/infra/settings.ts';
import { type Json, LongestNames } from './longest-names.ts';
import { newApp, templateWith } from './synthesised.ts';

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

const json = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
/** IAM does not count white space. */
const characters = (value: Json) => json(value).replaceAll(/\s/g, '').length;
const UNITS: Readonly<Record<string, (value: Json) => number>> = {
  characters,
  bytes: (value) => Buffer.byteLength(json(value)),
  length: (value) => value.length,
};

/** The values at a path, in which `*` is each item: one list, if several are lists. */
function valueAt(value: Json, [name, ...rest]: readonly string[]): Json {
  if (name === undefined || value === undefined) return value;
  if (name === '*') return value.flatMap((item: Json) => valueAt(item, rest) ?? []);
  return valueAt((typeof value === 'string' ? JSON.parse(value) : value)[name], rest);
}

/** Sizes of one kind in all templates: the largest for each id. */
function sizesOf(unit: string, type: string, property: string): readonly (readonly [string, number])[] {
  const sizes = new Map<string, number>();
  for (const template of Object.values(TEMPLATES)) {
    const names = new LongestNames(template, STACK_NAME);
    for (const [id, { Type, Properties = {} }] of Object.entries<Json>(template.Resources)) {
      if (Type !== `AWS::${type}`) continue;
      const value =
        property === '(name)' ? names.name(id) : valueAt(names.resolve(Properties), property.split('.'));
      const name = id.replace(/^Puzzlesofthe.*?prod/, '').replace(/\w{8}$/, '');
      if (value !== undefined) sizes.set(name, Math.max(UNITS[unit]!(value), sizes.get(name) ?? 0));
    }
  }
  return [...sizes].toSorted(([, a], [, b]) => b - a);
}

/** The table of limits, with the largest sizes in the titles of the tests. */
const ROWS = readFileSync(new URL('limits.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [what, max, unit, type, property, source] = line.split('\t') as [string, ...string[]];
    const sizes = sizesOf(unit!, type!, property!);
    const shown = sizes.slice(0, 4).map(([name, size]) => `${name} ${size}`);
    return { title: `${what}: ${shown.join(', ')} of ${max} ${unit}`, sizes, max: Number(max), source };
  });

for (const { title, sizes, max, source } of ROWS) {
  it(title, () => {
    expect(sizes).not.toEqual([]);
    const exceeding = sizes.filter(([, size]) => size > max);
    expect(exceeding, source).toEqual([]);
  });
}

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
  expect(Object.keys(SETTING_SCHEMAS).filter((name) => !Object.hasOwn(all, `dlx:${name}`))).toEqual([]);
});
