/** The construct in the apps of others: existing buckets and keys, several instances, grants, checks. */
import { Annotations, type App, NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket, BucketEncryption, CfnBucket, EventType } from 'aws-cdk-lib/aws-s3';
import { SqsDestination } from 'aws-cdk-lib/aws-s3-notifications';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '../../lib/batch/names.ts';
import { DlxBatch, type DlxBatchProps } from '../../lib/infra/dlx-batch.ts';
import { expectTable } from '../support/text-table.ts';
import { Resources, type Statement } from './resources.ts';
import { cdkJsonContext, newApp } from './synthesised.ts';

type Json = ReturnType<Template['toJSON']>;

const ENV = { account: '111122223333', region: 'eu-west-1' };

/** A stack of another app, without the feature flags of `cdk.json`. */
function foreignStack(app: App = newApp({}), id = 'Shop'): Stack {
  return new Stack(app, id);
}

function templateOf(props: DlxBatchProps = {}, stack = foreignStack()): Template {
  new DlxBatch(stack, 'Puzzles', props);
  return Template.fromStack(stack);
}

function resourcesOf(template: Template, type: string): Json[] {
  return Object.values(template.findResources(type));
}

function messagesOf(stack: Stack): string[] {
  const { messages } = (stack.node.root as App).synth().getStackArtifact(stack.artifactId);
  return messages.map(({ level, entry }) => `${level}: ${String(entry.data)}`);
}

/** The logical id of the first resource of a type. */
function idOf(template: Template, type: string): string {
  return Object.keys(template.findResources(type))[0]!;
}

describe('an app without feature flags', () => {
  it('has the same state machines as an app with all of them', () => {
    const definitions = [newApp({}), newApp(cdkJsonContext)].map((app) =>
      resourcesOf(templateOf({}, foreignStack(app)), 'AWS::StepFunctions::StateMachine').map((machine) =>
        JSON.stringify(machine.Properties.DefinitionString).replaceAll(
          /CurrentVersion\w+/g,
          'CurrentVersion',
        ),
      ),
    );
    expect(definitions[0]).toHaveLength(2);
    expect(definitions[0]).toEqual(definitions[1]);
    expect(definitions[0]!.join()).toContain('ResultWriter');
  });
});

describe('several instances', () => {
  const app = newApp({});
  const stack = foreignStack(app);
  const instances = [
    new DlxBatch(stack, 'Sudoku'),
    new DlxBatch(stack, 'Exact cover'),
    new DlxBatch(foreignStack(app, 'Other'), 'Sudoku'),
  ];
  const template = Template.fromStack(stack);

  it('have different saved queries, and export nothing', () => {
    const queries = resourcesOf(template, 'AWS::Logs::QueryDefinition').map(
      ({ Properties }) => Properties.Name,
    );
    expect(new Set(queries).size).toBe(queries.length);
    expect(template.toJSON().Outputs).toBeUndefined();
  });

  it('write to different log groups', () => {
    const names = resourcesOf(template, 'AWS::Logs::LogGroup').flatMap(({ Properties }) =>
      JSON.stringify(Properties.LogGroupName ?? []),
    );
    const fixed = names.filter((name) => name !== '[]');
    expect(fixed).toHaveLength(4);
    expect(new Set(fixed).size).toBe(4);
    expect(fixed[0]).toContain('/aws/vendedlogs/states/Shop-Sudoku/');
    // A log group must not have a space in its name.
    expect(fixed.join()).not.toContain('Exact cover');
  });

  it('have different metrics, so that an alarm names one', () => {
    const names = instances.map(({ solveFunction }) => {
      const { Resources } = Template.fromStack(Stack.of(solveFunction)).toJSON();
      const id = Stack.of(solveFunction).getLogicalId(solveFunction.node.defaultChild as never);
      return Resources[id].Properties.Environment.Variables[ENVIRONMENT.stackName];
    });
    expect(names).toEqual(['Shop/Sudoku', expect.stringMatching(/^Shop\/c8\w{40}$/), 'Other/Sudoku']);
    const dimensions = resourcesOf(template, 'AWS::CloudWatch::Alarm').flatMap(({ Properties }) =>
      (Properties.Dimensions ?? [])
        .filter(({ Name }: Json) => Name === 'stack')
        .map(({ Value }: Json) => Value),
    );
    expect(new Set(dimensions)).toEqual(new Set(names.slice(0, 2)));
  });
});

describe('an instance in a nested stack', () => {
  it('has the same resources as in a stack', () => {
    const nested = new NestedStack(foreignStack(), 'Inner');
    const typesIn = (template: Template) =>
      Object.values(template.toJSON().Resources as Record<string, Json>)
        .map(({ Type }) => Type)
        .sort();
    expect(typesIn(templateOf({}, nested))).toEqual(typesIn(templateOf()));
  });
});

describe('the resources of the construct', () => {
  const stack = foreignStack();
  const topic = new Topic(stack, 'OnCall');
  const batch = new DlxBatch(stack, 'Puzzles', {
    alarmTopic: topic,
    schedule: 'rate(6 hours)',
    scheduleEnabled: false,
  });
  const template = Template.fromStack(stack);

  it('are its properties, all of them', () => {
    const count = (type: string) => resourcesOf(template, type).length;
    expect(batch.functions).toHaveLength(count('AWS::Lambda::Function'));
    expect(new Set(batch.functions).size).toBe(batch.functions.length);
    expect(batch.functions).toContain(batch.solveFunction);
    expect(batch.alarms).toHaveLength(count('AWS::CloudWatch::Alarm'));
    expect(batch.alarms.map(({ node }) => node.id)).toContain('WorkFailed');
    expect(
      [batch.solveLarge, batch.bulkRun].map((machine) => stack.resolve(machine.stateMachineArn)),
    ).toEqual(
      Object.keys(template.findResources('AWS::StepFunctions::StateMachine'))
        .map((Ref) => ({ Ref }))
        .sort(),
    );
    expect(batch.schedule.scheduleExpression).toBe('rate(6 hours)');
    expect(batch.schedule.state).toBe('DISABLED');
    const queues = [batch.queue, batch.deadLetterQueue, batch.undeliveredEventsQueue];
    expect(new Set(queues.map((queue) => queue.queueArn)).size).toBe(3);
    expect(stack.resolve(batch.solveLogGroup.logGroupName)).toEqual({
      Ref: expect.stringMatching(/SolveBatchLogs/),
    });
  });
});

describe('a key of the app', () => {
  it('that is imported has a policy of its owner, and a warning lists what it must allow', () => {
    const other = foreignStack();
    const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1234';
    templateOf({ encryptionKey: Key.fromKeyArn(other, 'Key', arn) }, other);
    expect(messagesOf(other)).toEqual([
      expect.stringMatching(
        /^warning: encryptionKey Shop\/Key is imported.*events\.amazonaws\.com.*delivery\.logs.*no condition of aws:SourceAccount/,
      ),
    ]);
  });
});

describe('the events of an existing bucket for uploads', () => {
  const on = { EventBridgeConfiguration: { EventBridgeEnabled: true } };
  const typesOf = (template: Template) =>
    Object.values(template.toJSON().Resources as Record<string, Json>).map(({ Type }) => Type);

  it('are turned on in the bucket itself, without a custom resource', () => {
    const stack = foreignStack();
    const template = templateOf({ puzzleBucket: new Bucket(stack, 'Uploads', { versioned: true }) }, stack);
    const { Properties } = template.toJSON().Resources[idOf(template, 'AWS::S3::Bucket')];
    expect(Properties.NotificationConfiguration).toEqual(on);
    expect(typesOf(template).filter((type) => type.startsWith('Custom::'))).toEqual([]);
    expect(messagesOf(stack)).toEqual([]);
  });

  it('are turned on in a bucket that is a plain resource, and in another stack', () => {
    const app = newApp({ '@aws-cdk/core:defaultCrossStackReferences': 'strong' });
    const resource = new CfnBucket(foreignStack(app, 'Storage'), 'Uploads', {
      versioningConfiguration: { status: 'Enabled' },
    });
    const stack = foreignStack(app);
    templateOf({ puzzleBucket: Bucket.fromCfnBucket(resource) }, stack);
    const [bucket] = resourcesOf(Template.fromStack(Stack.of(resource)), 'AWS::S3::Bucket');
    expect(bucket.Properties.NotificationConfiguration).toEqual(on);
    expect(messagesOf(stack)).toEqual([]);
  });

  it.each(['before', 'after'])('are sent with its other notifications, added %s the construct', (when) => {
    const stack = foreignStack();
    const puzzleBucket = new Bucket(stack, 'Uploads', { versioned: true });
    const notify = () =>
      puzzleBucket.addEventNotification(
        EventType.OBJECT_REMOVED,
        new SqsDestination(new Queue(stack, 'Removed')),
      );
    if (when === 'before') notify();
    new DlxBatch(stack, 'Puzzles', { puzzleBucket });
    if (when === 'after') notify();
    // The custom resource replaces the whole configuration.
    const [custom] = resourcesOf(Template.fromStack(stack), 'Custom::S3BucketNotifications');
    expect(custom.Properties.NotificationConfiguration).toMatchObject({
      EventBridgeConfiguration: {},
      QueueConfigurations: [{}],
    });
  });

  it('are left to the owner of an imported bucket, with a warning', () => {
    const stack = foreignStack();
    const puzzleBucket = Bucket.fromBucketName(stack, 'Uploads', 'my-uploads');
    const template = templateOf({ puzzleBucket }, stack);
    expect(typesOf(template)).not.toContain('Custom::S3BucketNotifications');
    expect(messagesOf(stack)).toEqual([
      expect.stringMatching(
        /^warning: puzzleBucket Shop\/Uploads is imported: without its events.*enableEventBridgeNotification\(\)/,
      ),
    ]);
  });

  it('are left to the owner of an imported bucket, whose app can acknowledge the warning', () => {
    const stack = foreignStack();
    const puzzleBucket = Bucket.fromBucketName(stack, 'Uploads', 'my-uploads');
    const batch = new DlxBatch(stack, 'Puzzles', { puzzleBucket });
    Annotations.of(batch).acknowledgeWarning('dlx-batch:puzzleBucketEvents');
    expect(messagesOf(stack)).toEqual([]);
  });

  it('are turned on in an imported bucket by the app itself, without a warning', () => {
    const stack = foreignStack();
    const puzzleBucket = Bucket.fromBucketName(stack, 'Uploads', 'my-uploads');
    new DlxBatch(stack, 'Puzzles', { puzzleBucket });
    puzzleBucket.enableEventBridgeNotification();
    expect(resourcesOf(Template.fromStack(stack), 'Custom::S3BucketNotifications')).toHaveLength(1);
    expect(messagesOf(stack)).toEqual([]);
  });
});

describe('a grant', () => {
  const stack = foreignStack();
  const keys = ['InKey', 'OutKey'].map((id) => new Key(stack, id));
  const roles = ['Uploader', 'Reader'].map(
    (id) => new Role(stack, id, { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') }),
  );
  const batch = new DlxBatch(stack, 'Puzzles', {
    puzzleBucket: new Bucket(stack, 'In', { versioned: true, encryptionKey: keys[0] }),
    resultsBucket: new Bucket(stack, 'Out', { encryptionKey: keys[1], encryption: BucketEncryption.KMS }),
    resultsPrefix: 'solved/',
  });
  batch.grantUpload(roles[0]).assertSuccess();
  batch.grantRead(roles[1]).assertSuccess();
  const template = Template.fromStack(stack);
  const id = (role: Role) => stack.getLogicalId(role.node.defaultChild as never);
  const [uploads, reads] = roles.map((role) =>
    new Resources(template.toJSON()).statementsOf(`<${id(role)}>`),
  );

  /** Each action and what it is allowed on, with the names of the app. */
  const granted = (statements: readonly Statement[]) =>
    statements
      .flatMap(({ actions, on }) =>
        actions.flatMap((action) => on.map((resource) => `${action} ${resource}`)),
      )
      .map((text) => text.replace(/<(\w+?)\w{8}\.Arn>/, '$1'))
      .sort()
      .join('\n');

  it('for uploads allows them in their folders, with the key of the bucket, and nothing else', () => {
    expect(granted(uploads)).toMatchInlineSnapshot(`
      "kms:Decrypt InKey
      kms:GenerateDataKey InKey
      s3:AbortMultipartUpload In/inbox/*
      s3:AbortMultipartUpload In/scheduled/*
      s3:PutObject In/inbox/*
      s3:PutObject In/scheduled/*"
    `);
  });

  it('for reading allows what outcomes have, in the folder of the app, with the key of the bucket, and nothing else', () => {
    expect(granted(reads)).toMatchInlineSnapshot(`
      "kms:Decrypt OutKey
      s3:GetObject Out/solved/done/*
      s3:GetObject Out/solved/rejects/*
      s3:GetObject Out/solved/results/*
      s3:GetObject Out/solved/runs/*
      s3:GetObject Out/solved/status/*
      s3:ListBucket Out"
    `);
  });

  it('for a principal without policies of its own is in the policy of the bucket', () => {
    const other = foreignStack();
    new DlxBatch(other, 'Puzzles')
      .grantUpload(new ServicePrincipal('transfer.amazonaws.com'))
      .assertSuccess();
    const statements = resourcesOf(Template.fromStack(other), 'AWS::S3::BucketPolicy').flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'transfer.amazonaws.com' },
        Action: expect.arrayContaining(['s3:PutObject']),
      }),
    );
  });
});

describe('two constructs with one bucket for uploads', () => {
  const mine = (stack: Stack, id: string) => Bucket.fromBucketName(stack, id, 'mine');

  it.each<{ what: string; folders: Partial<DlxBatchProps>; message?: RegExp }>([
    {
      what: 'the same folders',
      folders: {},
      message:
        /Other\/Night and Shop\/Day solve the same uploads of the bucket Shop\/In, so each would be solved twice: the folders are inbox\/ and scheduled\/, and inbox\/ and scheduled\/\. Give each construct its own inboxPrefix/,
    },
    {
      what: 'a folder in one of the other',
      folders: { inboxPrefix: 'inbox/night/', scheduledPrefix: 'later/' },
      message: /the folders are inbox\/night\/ and later\/, and inbox\//,
    },
    { what: 'other folders', folders: { inboxPrefix: 'night/', scheduledPrefix: 'later/' } },
  ])('and $what', ({ folders, message }) => {
    const app = newApp({ '@aws-cdk/core:annotationsInValidationReport': false });
    const [shop, other] = [foreignStack(app), foreignStack(app, 'Other')];
    new DlxBatch(shop, 'Day', { puzzleBucket: mine(shop, 'In') });
    new DlxBatch(other, 'Night', { puzzleBucket: mine(other, 'In'), ...folders });
    if (message === undefined) expect(() => app.synth()).not.toThrow();
    else expect(() => app.synth()).toThrow(message);
  });

  it('of the app, in one stack', () => {
    const stack = foreignStack();
    const puzzleBucket = new Bucket(stack, 'In', { versioned: true });
    for (const id of ['Day', 'Night']) new DlxBatch(stack, id, { puzzleBucket });
    expect(() => Template.fromStack(stack)).toThrow(/Shop\/Day and Shop\/Night solve the same uploads/);
  });
});

/** Values of settings: `settings.txt`. */
describe('synthesis fails with the property and what to do', () => {
  const versioned = (stack: Stack, id = 'Uploads') => new Bucket(stack, id, { versioned: true });

  it.each<{ what: string; props: (stack: Stack) => DlxBatchProps; message: RegExp }>([
    {
      what: 'a bucket without versions',
      props: (stack) => ({ puzzleBucket: new Bucket(stack, 'Uploads') }),
      message: /puzzleBucket Shop\/Uploads keeps no versions: set versioned: true/,
    },
    {
      what: 'one bucket for both',
      props: (stack) => {
        const bucket = versioned(stack);
        return { puzzleBucket: bucket, resultsBucket: bucket };
      },
      message: /^puzzleBucket and resultsBucket are both Shop\/Uploads: give two buckets/,
    },
    {
      what: 'one bucket for both, imported twice',
      props: (stack) => ({
        puzzleBucket: Bucket.fromBucketName(stack, 'In', 'mine'),
        resultsBucket: Bucket.fromBucketName(stack, 'Out', 'mine'),
      }),
      message: /are both Shop\/In/,
    },
    {
      what: 'a bucket in another region',
      props: (stack) => ({
        puzzleBucket: Bucket.fromBucketAttributes(stack, 'In', { bucketName: 'mine', region: 'us-east-1' }),
      }),
      message:
        /^puzzleBucket Shop\/In is in region us-east-1, the stack Shop in eu-west-1: give one in the same region/,
    },
    {
      what: 'a bucket in another account',
      props: (stack) => ({
        resultsBucket: Bucket.fromBucketAttributes(stack, 'Out', {
          bucketName: 'mine',
          account: '444455556666',
        }),
      }),
      message: /^resultsBucket Shop\/Out is in account 444455556666/,
    },
    {
      what: 'an event bus in another region',
      props: (stack) => ({
        eventBus: EventBus.fromEventBusArn(
          stack,
          'Bus',
          'arn:aws:events:us-east-1:111122223333:event-bus/mine',
        ),
      }),
      message:
        /^eventBus Shop\/Bus is in region us-east-1, the stack Shop in eu-west-1: give one in the same region/,
    },
    {
      what: 'an alarm topic in another region',
      props: (stack) => ({
        alarmTopic: Topic.fromTopicArn(stack, 'OnCall', 'arn:aws:sns:us-east-1:111122223333:on-call'),
      }),
      message: /^alarmTopic Shop\/OnCall is in region us-east-1, the stack Shop in eu-west-1: give one/,
    },
    {
      what: 'an expiry in a bucket of another owner',
      props: (stack) => ({ puzzleBucket: versioned(stack), inputExpiryDays: 30 }),
      message: /^inputExpiryDays is 30, and puzzleBucket is Shop\/Uploads: omit inputExpiryDays/,
    },
  ])('for $what', ({ props, message }) => {
    expect(refusalOf(props)).toMatch(message);
  });

  it('for the properties of construct.txt', () =>
    expectTable(new URL('construct.txt', import.meta.url), {
      'properties that are refused, and why': (props) => refusalOf(() => props),
    }));

  function refusalOf(props: (stack: Stack) => DlxBatchProps): string {
    const stack = new Stack(newApp({}), 'Shop', { env: ENV });
    try {
      new DlxBatch(stack, 'Puzzles', props(stack));
      Template.fromStack(stack);
    } catch (error) {
      return (error as Error).message;
    }
    return 'nothing is refused';
  }
});
