/**
 * What holds for the template with any settings, in this app and in others: a sentence, and what breaks it. What no setting changes
 * is in the snapshots (`template.test.ts`), and what cdk-nag finds has no rule (`template-checks.slow.test.ts`).
 */
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it } from 'vitest';
import { MAX_RECEIVES, REPORT_RECEIVES, VISIBILITY_TIMEOUT_FACTOR } from '../../lib/batch/limits.ts';
import {
  ENVIRONMENT,
  EVENT_NOT_SENT_ERROR,
  EVENT_SOURCE,
  PROGRAM_VERSION_ERROR,
} from '../../lib/batch/names.ts';
import { DlxBatch } from '../../lib/infra/dlx-batch.ts';
import { DEEP } from '../support/depth.ts';
import { type Resource, Resources } from './resources.ts';
import { type ServiceCall, serviceCalls } from './service-calls.ts';
import { ALL_SETTINGS, EXISTING_BUCKETS } from './settings.ts';
import { newApp, templateWith } from './synthesised.ts';
import type { Json } from './template-text.ts';

// CommonJS without types for ES modules.
const validate = createRequire(import.meta.url)('asl-validator') as (
  definition: object,
) => Promise<{ readonly isValid: boolean; readonly errors: readonly unknown[] }>;

/** The construct in an app without feature flags, with keys, folders and buckets of that app. */
function templateOfOtherApp(): Json {
  const stack = new Stack(newApp({}), 'Shop');
  const bucket = (id: string) =>
    new Bucket(stack, id, {
      versioned: true,
      enforceSSL: true,
      encryptionKey: new Key(stack, `${id}Key`),
    });
  new DlxBatch(stack, 'Puzzles', {
    puzzleBucket: bucket('In'),
    resultsBucket: bucket('Out'),
    inboxPrefix: 'in/new/',
    scheduledPrefix: 'in/later/',
    resultsPrefix: 'solved/',
    encryptionKey: new Key(stack, 'OutQueues'),
  });
  return Template.fromStack(stack).toJSON();
}

const TEMPLATES: Readonly<Record<string, Resources>> = {
  'the default settings': new Resources(templateWith().toJSON()),
  'all settings': new Resources(templateWith(ALL_SETTINGS).toJSON()),
  'existing buckets': new Resources(templateWith(EXISTING_BUCKETS).toJSON()),
  'the shortest timeout': new Resources(templateWith({ 'dlx:timeoutSeconds': 60 }).toJSON()),
  'the longest timeout': new Resources(templateWith({ 'dlx:timeoutSeconds': 900 }).toJSON()),
  'another app': new Resources(templateOfOtherApp()),
};

/** The resources, statements or states for which something does not hold. */
function without<Item>(items: readonly Item[], holds: (item: Item) => unknown): readonly Item[] {
  if (items.length === 0) throw new Error('the rule is about nothing');
  return items.filter((item) => !holds(item));
}

/** Whether all have something, or none: a setting for the whole stack. */
function mixed(items: readonly Resource[], has: (resource: Resource) => boolean): readonly Resource[] {
  const some = items.some(has);
  return items.filter((item) => has(item) !== some);
}

const DAY = 24 * 3600;
const own = ({ id }: Resource) => !/^(In|Out)/.test(id);
const ownBuckets = (all: Resources) => all.of('S3::Bucket').filter(own);
const isDeadLetters = ({ id }: Resource) => /DeadLetters|Undelivered|Failures/.test(id);
/** The metrics of an alarm, also those of its expression. */
const metricsOf = ({ is }: Resource): readonly Json[] =>
  is.Metrics?.flatMap(({ MetricStat }: Json) => MetricStat?.Metric ?? []) ?? [is];
/** Actions that nobody may be allowed, whatever for: they lose data, or give away control. */
const FORBIDDEN =
  /^(s3:(DeleteObjectVersion|DeleteBucket|Put(Object|Bucket)(Acl|Notification|Policy)|BypassGovernanceRetention)|sqs:(PurgeQueue|DeleteQueue|SetQueueAttributes)|states:(Delete|Update)StateMachine|lambda:(Update|Delete).*|iam:(PassRole|Put.*|Create.*|Attach.*)|kms:(ScheduleKeyDeletion|PutKeyPolicy|CreateGrant)|logs:Delete(LogGroup|LogStream))$/;
const EVENT_CONDITION = { StringEquals: { 'events:source': EVENT_SOURCE } };
const WITHOUT_RETRY = { ErrorEquals: [PROGRAM_VERSION_ERROR], MaxAttempts: 0 };
/** What S3 asks for on the key of a bucket. @see "Multipart upload API and permissions", Amazon S3 User Guide */
const KEY_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  's3:GetObject': ['kms:Decrypt'],
  's3:GetObjectVersion': ['kms:Decrypt'],
  's3:PutObject': ['kms:GenerateDataKey', 'kms:Decrypt'],
};
/** The buckets that have a key, and the keys. */
const keysOfBuckets = (all: Resources): readonly (readonly [bucket: string, key: string])[] => [
  ...all.of('S3::Bucket').flatMap(({ id, is }) => {
    const [rule] = is.BucketEncryption?.ServerSideEncryptionConfiguration ?? [];
    const key = rule?.ServerSideEncryptionByDefault.KMSMasterKeyID;
    return key === undefined ? [] : [[`<${id}.Arn>`, key] as const];
  }),
  ...['uploads', 'results'].map(
    (name) =>
      [`arn:<AWS::Partition>:s3:::my-${name}`, `arn:aws:kms:eu-west-1:111122223333:key/${name}`] as const,
  ),
];
const RULES: Readonly<Record<string, (all: Resources) => readonly unknown[]>> = {
  'every log group has the retention of the stack': (all) => {
    const [first] = all.of('Logs::LogGroup');
    return without(all.of('Logs::LogGroup'), ({ is }) => is.RetentionInDays === first!.is.RetentionInDays);
  },
  'only the functions for large files reserve concurrency, and the detection of loops is on': (all) =>
    without(
      [...all.handlers],
      ([name, { is }]) =>
        (is.ReservedConcurrentExecutions === undefined || name.includes('-shard')) &&
        is.RecursiveLoop === undefined,
    ),
  'every function knows the bucket of results and its folder, but the one of the schedule, which knows no bucket':
    (all) => {
      const folder = all
        .of('Lambda::Function')
        .find(({ is }) => is.Environment.Variables[ENVIRONMENT.resultsPrefix]);
      return without([...all.handlers], ([name, { is }]) => {
        const variables = Object.keys(is.Environment.Variables);
        if (name === 'sweep-inbox')
          return (
            variables.sort().join() ===
            [ENVIRONMENT.bulkRun, 'NODE_OPTIONS', ENVIRONMENT.stackName].sort().join()
          );
        return (
          variables.includes(ENVIRONMENT.resultsBucket) &&
          variables.includes(ENVIRONMENT.resultsPrefix) === (folder !== undefined)
        );
      });
    },
  'no resource has a fixed name, but saved queries, and log groups of state machines in this stack': (
    all,
  ) => {
    const names = [
      'BucketName',
      'QueueName',
      'FunctionName',
      'RoleName',
      'StateMachineName',
      'AlarmName',
      'TopicName',
    ];
    return without(
      all.of(
        'S3::Bucket',
        'SQS::Queue',
        'Lambda::Function',
        'IAM::Role',
        'StepFunctions::StateMachine',
        'Logs::LogGroup',
        'CloudWatch::Alarm',
      ),
      ({ is }) =>
        names.every((name) => is[name] === undefined) &&
        (is.LogGroupName === undefined || JSON.stringify(is.LogGroupName).includes('AWS::StackId')),
    );
  },
  'every bucket keeps versions, and is private, encrypted and without access lists': (all) =>
    ownBuckets(all).filter(
      ({ is }) =>
        is.VersioningConfiguration?.Status !== 'Enabled' ||
        Object.values(is.PublicAccessBlockConfiguration).filter((value) => value === true).length !== 4 ||
        is.OwnershipControls.Rules[0].ObjectOwnership !== 'BucketOwnerEnforced' ||
        !/aws:kms|AES256/.test(JSON.stringify(is.BucketEncryption)),
    ),
  'lifecycle rules of a bucket have different ids, and expire only its folders': (all) => {
    const rules = all.bucketRules();
    const ids = rules.map(({ id, rule }) => `${id} ${rule.Id}`);
    const variables = all.handlers.get('run-step')!.is.Environment.Variables;
    const folders = [ENVIRONMENT.inboxPrefix, ENVIRONMENT.scheduledPrefix, ENVIRONMENT.resultsPrefix].map(
      (name) => variables[name] ?? '',
    );
    return [
      ...ids.filter((id, index) => ids.indexOf(id) !== index),
      ...rules
        .filter(({ rule }) => rule.ExpirationInDays !== undefined)
        .filter(
          ({ rule: { Prefix = '' } }) =>
            Prefix === '' || !folders.some((folder) => Prefix.startsWith(folder)),
        ),
    ];
  },
  'markers of jobs outlive the uploads that they mark': (all) => {
    const days = Object.fromEntries(all.bucketRules().map(({ rule }) => [rule.Id, rule.ExpirationInDays]));
    return days['expire-done'] === undefined || days['expire-done'] > days['expire-uploads-1'] + 30
      ? []
      : [days];
  },
  'parts of a large job exist as long as its execution can be redriven, and its upload as well': (all) => {
    const [large] = all.of('StepFunctions::StateMachine').filter(({ id }) => id.includes('SolveLarge'));
    const days = 14 + (2 * large!.is.DefinitionString.TimeoutSeconds) / DAY;
    const limits = all
      .bucketRules()
      .filter(({ rule }) => /expire-(work|uploads)/.test(rule.Id))
      .map(({ rule }) => rule.ExpirationInDays);
    return limits.filter((limit) => limit < days);
  },
  'the bucket for uploads sends events to EventBridge, the other sends none, and no custom resource is needed':
    (all) => {
      const sending = all
        .of('S3::Bucket')
        .map(({ id, is }) => ({ id, on: is.NotificationConfiguration !== undefined }));
      return [
        ...sending.filter(({ id, on }) => on !== /In(put)?/.test(id)),
        ...all.all.filter(({ type }) => /^Custom::|CustomResource/.test(type)),
      ];
    },
  'every queue has a dead-letter queue or is one, and dead letters are kept for 14 days': (all) =>
    without(all.of('SQS::Queue'), (queue) =>
      isDeadLetters(queue)
        ? queue.is.MessageRetentionPeriod === 14 * DAY
        : isDeadLetters(all.at(queue.is.RedrivePolicy.deadLetterTargetArn)!),
    ),
  'a message is hidden for several timeouts of its function, as AWS recommends, and received so often that its job can fail, and say so':
    (all) =>
      without(
        all.of('SQS::Queue').filter((queue) => !isDeadLetters(queue)),
        ({ is }) => {
          const { Timeout } = all.handlers.get('solve-batch')!.is;
          return (
            VISIBILITY_TIMEOUT_FACTOR >= 6 &&
            is.VisibilityTimeout === VISIBILITY_TIMEOUT_FACTOR * Timeout &&
            is.RedrivePolicy.maxReceiveCount === MAX_RECEIVES + REPORT_RECEIVES
          );
        },
      ),
  'a message is kept for twice as long as all its tries take, and ten days longer as a dead letter': (all) =>
    without(
      all.of('SQS::Queue').filter((queue) => !isDeadLetters(queue)),
      ({ is }) => {
        const { Timeout } = all.handlers.get('solve-batch')!.is;
        // Each try crashes, or each fails in its last second and waits for the longest delay.
        const tries = (MAX_RECEIVES + REPORT_RECEIVES) * Math.max(is.VisibilityTimeout, Timeout + 900);
        return is.MessageRetentionPeriod > 2 * tries && 14 * DAY - is.MessageRetentionPeriod >= 10 * DAY;
      },
    ),
  'only rules of this stack may send to its queues': (all) =>
    without(
      all.of('SQS::QueuePolicy').flatMap(({ is }) => is.PolicyDocument.Statement),
      ({ Effect, Principal, Condition }: Json) =>
        Effect === 'Deny' ||
        (Principal.Service === 'events.amazonaws.com' &&
          all.at(Condition?.ArnEquals?.['aws:SourceArn'] ?? '')?.type === 'Events::Rule'),
    ),
  'every rule, schedule and asynchronous call has a queue for what is not delivered': (all) => [
    ...without(
      all.of('Events::Rule').flatMap(({ is }) => is.Targets),
      (target: Json) => isDeadLetters(all.at(target.DeadLetterConfig?.Arn ?? '')!),
    ),
    ...without(all.of('Scheduler::Schedule'), ({ is }) =>
      isDeadLetters(all.at(is.Target.DeadLetterConfig.Arn)!),
    ),
    ...without(all.of('Lambda::EventInvokeConfig'), ({ is }) =>
      isDeadLetters(all.at(is.DestinationConfig.OnFailure.Destination)!),
    ),
  ],
  'one rule is about objects: those of the folder for uploads': (all) => {
    const patterns = all.of('Events::Rule').map(({ is }) => is.EventPattern);
    const objects = patterns.filter(({ source }) => source.includes('aws.s3'));
    const folder =
      all.handlers.get('run-step')!.is.Environment.Variables[ENVIRONMENT.inboxPrefix] ?? 'inbox/';
    const isRight = ({ detail, ...others }: Json) =>
      others['detail-type'].join() === 'Object Created' &&
      detail.bucket.name.length === 1 &&
      JSON.stringify(detail.object.key) === JSON.stringify([{ prefix: folder }]);
    return objects.length === 1 ? without(objects, isRight) : objects;
  },
  'Lambda, the Scheduler and EventBridge may make the calls that they make for the stack': (all) => {
    const calls: (Omit<ServiceCall, 'role'> & { readonly role?: string })[] = [
      ...serviceCalls(all),
      ...all.of('Events::Rule').flatMap(({ is }) =>
        is.Targets.flatMap(({ Arn, DeadLetterConfig }: Json) => [
          { action: all.at(Arn)!.type === 'SNS::Topic' ? 'sns:Publish' : 'sqs:SendMessage', on: Arn },
          { action: 'sqs:SendMessage', on: DeadLetterConfig.Arn },
        ]),
      ),
    ];
    const policies = all.of('IAM::Policy', 'SQS::QueuePolicy', 'SNS::TopicPolicy');
    return without(calls, ({ role, action, on }) =>
      policies
        .filter(({ is }) =>
          role === undefined ? is.Roles === undefined : is.Roles?.includes(`<${all.at(role)!.id}>`),
        )
        .flatMap(({ is }) => is.PolicyDocument.Statement)
        .some(
          ({ Effect, Action, Resource: resources }: Json) =>
            Effect === 'Allow' && [Action].flat().includes(action) && [resources].flat().includes(on),
        ),
    );
  },
  'every statement allows something, with no condition but the source of events': (all) =>
    without(
      all.statements,
      ({ effect, if: condition = EVENT_CONDITION }) =>
        effect === 'Allow' && isDeepStrictEqual(condition, EVENT_CONDITION),
    ),
  'nobody may lose data or give away control': (all) =>
    without(all.statements, ({ actions }) => !actions.some((action) => FORBIDDEN.test(action))),
  'no role may write or delete uploads': (all) =>
    without(
      all.statements.filter(({ id }) => /DefaultPolicy/.test(id)),
      ({ actions, on }) =>
        !actions.some((action) => /^s3:(Put|Delete)/.test(action)) ||
        !on.some((resource) => /^<(BucketsInput|In\b|In[0-9A-F]{8})|my-uploads/.test(resource)),
    ),
  'a function may send events if it has a bus, and only then': (all) =>
    without([...all.handlers], ([name, { is }]) => {
      const role = all.at(is.Role)!.id;
      const may = all
        .of('IAM::Policy')
        .filter((policy) => policy.is.Roles.includes(`<${role}>`))
        .some((policy) => JSON.stringify(policy.is).includes('events:PutEvents'));
      const sends = ['solve-batch', 'plan-shards', 'merge-shards', 'run-step'].includes(name);
      return may === sends && (is.Environment.Variables[ENVIRONMENT.eventBus] !== undefined) === sends;
    }),
  'a boundary is on every role or on none': (all) =>
    mixed(all.of('IAM::Role'), ({ is }) => is.PermissionsBoundary !== undefined),
  'tracing is on in every function and state machine, and allowed, or in none': (all) => {
    const traced = all.of('Lambda::Function', 'StepFunctions::StateMachine');
    const isTraced = ({ is }: Resource) => (is.TracingConfig ?? is.TracingConfiguration) !== undefined;
    const allowing = all.statements.filter(({ actions }) => actions.includes('xray:PutTraceSegments'));
    const expected = traced.some(isTraced) ? traced.length : 0;
    return allowing.length === expected ? mixed(traced, isTraced) : allowing;
  },
  'a key of the stack encrypts every bucket, queue, log group, topic and state machine': (all) => {
    const types = ['SQS::Queue', 'Logs::LogGroup', 'StepFunctions::StateMachine', 'SNS::Topic'];
    return mixed([...all.of(...types), ...ownBuckets(all)], ({ is }) =>
      /"(KMSMasterKeyID|KmsMasterKeyId|KmsKeyId)"/.test(JSON.stringify(is)),
    );
  },
  'a role that uses an encrypted queue or starts an execution may use the key': (all) => {
    const key = all.of('SQS::Queue')[0]!.is.KmsMasterKeyId;
    const roles = all.of('IAM::Role').map(({ id }) => ({
      id,
      policies: all.of('IAM::Policy').filter(({ is }) => is.Roles.includes(`<${id}>`)),
    }));
    const using = roles.filter(({ policies }) =>
      policies.some(({ is }) => /"(sqs|states):/.test(JSON.stringify(is.PolicyDocument.Statement))),
    );
    if (key === undefined) return [];
    return without(using, ({ policies }) =>
      policies
        .flatMap(({ is }) => is.PolicyDocument.Statement)
        .some(
          ({ Action, Resource: on }: Json) =>
            [on].flat().includes(key) &&
            ['kms:Decrypt', 'kms:GenerateDataKey'].every((use) => Action.includes(use)),
        ),
    );
  },
  'who reads or writes objects of a bucket may use its key': (all) =>
    all.statements.filter(({ id, owner, actions, on }) => {
      const keys = keysOfBuckets(all).filter(([bucket]) =>
        on.some((resource) => resource.startsWith(`${bucket}/`)),
      );
      const needed = actions.flatMap((action) => KEY_ACTIONS[action] ?? []);
      return keys.some(([, key]) =>
        needed.some(
          (use) =>
            !all.statements
              .filter((other) => other.id === id || other.owner === owner)
              .some((other) => other.actions.includes(use) && other.on.includes(key)),
        ),
      );
    }),
  'roles use keys only to read and write data': (all) =>
    without(
      all.statements.filter(({ id }) => /DefaultPolicy/.test(id)),
      ({ actions }) =>
        actions
          .filter((action) => action.startsWith('kms:'))
          .every((action) => ['kms:Decrypt', 'kms:GenerateDataKey'].includes(action)),
    ),
  'alarms have at most seven metrics, each of which is billed': (all) => {
    const metrics = all.of('CloudWatch::Alarm').flatMap(metricsOf);
    return metrics.slice(7);
  },
  'dead letters, the age of the oldest message, failing and rejected jobs, throttles and completed runs have an alarm':
    (all) => {
      const watched = all
        .of('CloudWatch::Alarm')
        .flatMap(metricsOf)
        .map(({ MetricName, Dimensions }) => `${MetricName} ${Dimensions?.[0].Value}`);
      const idOf = (type: string, part: string) => all.of(type).find(({ id }) => id.includes(part))!.id;
      const queue = all.of('SQS::Queue').find(({ is }) => is.RedrivePolicy !== undefined)!;
      return [
        `ApproximateNumberOfMessagesVisible <${idOf('SQS::Queue', 'DeadLetters')}.QueueName>`,
        `ApproximateAgeOfOldestMessage <${queue.id}.QueueName>`,
        'JobsFailing solve-batch',
        'JobsRejected solve-batch',
        `Throttles <${idOf('Lambda::Function', 'SolveBatch')}>`,
        ...all
          .of('CloudWatch::Alarm')
          .filter(({ id }) => id.includes('RunMissing'))
          .map(() => `ExecutionsSucceeded <${idOf('StepFunctions::StateMachine', 'BulkRun')}>`),
      ].filter((metric) => !watched.includes(metric));
    },
  'events of rules that cannot be delivered to the queue are dead letters': (all) =>
    without(
      all.of('Events::Rule').filter(({ is }) => is.Targets.some(({ Arn }: Json) => /Queue/.test(Arn))),
      ({ is }) => is.Targets.every(({ DeadLetterConfig }: Json) => /DeadLetters/.test(DeadLetterConfig?.Arn)),
    ),
  'no alarm goes off without data, but of a run that is missing': (all) =>
    without(all.of('CloudWatch::Alarm'), ({ is }) => is.TreatMissingData === 'notBreaching'),
  'every alarm notifies the same topics': (all) => {
    const [first, ...others] = all.of('CloudWatch::Alarm').map(({ is }) => JSON.stringify(is.AlarmActions));
    return others.filter((actions) => actions !== first);
  },
  'an overdue run is expected only of a schedule that is on and repeats': (all) => {
    const [{ is: schedule }] = all.of('Scheduler::Schedule') as [Resource];
    const repeats = schedule.State === 'ENABLED' && !schedule.ScheduleExpression.startsWith('at(');
    const overdue = all.of('CloudWatch::Alarm').filter(({ id }) => id.includes('RunMissing'));
    return overdue.length === Number(repeats) ? [] : [schedule, ...overdue];
  },
  'every path into the context of an execution exists there': (all) => {
    const known =
      /^\$\$\.(Execution\.(Id|Name|StartTime|Input)|StateMachine\.(Id|Name)|Map\.Item\.(Index|Value))\b/;
    return all
      .of('StepFunctions::StateMachine')
      .flatMap(({ is }) => JSON.stringify(is.DefinitionString).match(/\$\$[.\w]*/g) ?? [])
      .filter((path) => !known.test(path));
  },
  'every state machine logs all steps, without the keys of uploads, to a log group of its own': (all) => {
    const machines = all.of('StepFunctions::StateMachine');
    const groups = machines.map(({ is }) => {
      const { Level, IncludeExecutionData, Destinations } = is.LoggingConfiguration;
      const group = all.at(Destinations[0].CloudWatchLogsLogGroup.LogGroupArn)!;
      const name = JSON.stringify(group.is.LogGroupName);
      // A name under this prefix takes no space in the resource policy of the account.
      const isRight = Level === 'ALL' && !IncludeExecutionData && name.includes('/aws/vendedlogs/states/');
      return isRight && group.deletion === 'Delete' ? group.id : undefined;
    });
    return new Set(groups).size === machines.length && !groups.includes(undefined) ? [] : groups;
  },
  'every task calls a version of its function, keeps what it needs, and times out after the function': (
    all,
  ) =>
    without(
      all.states('Task'),
      ({ is }) =>
        is.Resource.endsWith(':lambda:invoke') &&
        all.at(is.Parameters.FunctionName.split(':')[1])?.is.FunctionName === `<${all.called(is).id}>` &&
        Object.keys(is.Parameters).join() === 'FunctionName,Payload' &&
        is.TimeoutSeconds > all.called(is).is.Timeout &&
        is.Catch === undefined,
    ),
  'only functions that tasks call have versions, which outlive the deployment that replaces them': (all) =>
    without(
      all.of('Lambda::Version'),
      ({ is, deletion, replacement }) =>
        all.states('Task').some((task) => is.FunctionName === `<${all.called(task.is).id}>`) &&
        deletion === 'RetainExceptOnCreate' &&
        replacement === 'Retain',
    ),
  'a state machine may call all versions of its functions, also older ones, and no other function': (all) =>
    all.of('StepFunctions::StateMachine').filter(({ is }) => {
      const called = JSON.stringify(is.DefinitionString).match(/(?<="FunctionName":")<[^>]*>/g)!;
      const allowed = all
        .statementsOf(is.RoleArn)
        .filter(({ actions }) => actions.includes('lambda:InvokeFunction'))
        .flatMap(({ on }) => on);
      const mayCallAll = called.every((arn) => allowed.includes(arn) && allowed.includes(`${arn}:*`));
      return !mayCallAll || !allowed.every((resource) => called.some((arn) => resource.startsWith(arn)));
    }),
  'every task is repeated after errors, with jitter, the general errors last': (all) => {
    const least = {
      'Lambda.TooManyRequestsException': 20,
      'Lambda.ServiceException': 5,
      'Lambda.SdkClientException': 5,
      'States.Timeout': 2,
      'States.TaskFailed': 2,
    };
    return without(
      all.states('Task'),
      ({ is: { Retry } }) =>
        Object.entries(least).every(([error, attempts]) => {
          const retry = Retry.find(({ ErrorEquals }: Json) => ErrorEquals.includes(error));
          return (
            retry?.MaxAttempts >= attempts && retry.JitterStrategy === 'FULL' && retry.MaxDelaySeconds > 0
          );
        }) &&
        Retry.at(-1).ErrorEquals.includes('States.TaskFailed') &&
        // A retry would call the same version again.
        JSON.stringify(Retry.at(-2)) === JSON.stringify(WITHOUT_RETRY) &&
        !JSON.stringify(Retry.slice(0, -1)).includes('States.'),
    );
  },
  'a task waits over half a day for a free function, in fewer tries than the history of an execution can record':
    (all) =>
      without(
        all.states('Task').filter(({ is }) => all.called(is).is.Handler !== 'count-shard.handler'),
        ({ is: { Retry } }) => {
          const [{ ErrorEquals, MaxAttempts, MaxDelaySeconds }] = Retry;
          return (
            ErrorEquals.join() === 'Lambda.TooManyRequestsException' &&
            // Full jitter waits half of the longest delay on average.
            (MaxAttempts * MaxDelaySeconds) / 2 > DAY / 2 &&
            // A try records up to five events; an execution may have 25,000.
            MaxAttempts * 5 < 25_000 / 2
          );
        },
      ),
  'a task is repeated for a day while only its event is missing': (all) =>
    without(
      all.states('Task').filter(({ name }) => ['Plan', 'Merge', 'Report'].includes(name)),
      ({ name, is: { Retry } }) => {
        const retry = Retry.find(({ ErrorEquals }: Json) => ErrorEquals.includes(EVENT_NOT_SENT_ERROR));
        const isOfRun = name === 'Plan' && retry === undefined;
        return isOfRun || (retry.MaxAttempts - 1) * retry.MaxDelaySeconds > DAY;
      },
    ),
  'every map has children that can be redriven, and fails if one of them does': (all) =>
    without(
      all.states('Map'),
      ({ is }) =>
        is.ItemProcessor.ProcessorConfig.Mode === 'DISTRIBUTED' &&
        is.ItemProcessor.ProcessorConfig.ExecutionType === 'STANDARD' &&
        is.ResultPath === null &&
        ['ItemBatcher', 'ItemsPath', 'Catch', 'ToleratedFailureCount', 'ToleratedFailurePercentage'].every(
          (field) => !(field in is),
        ) &&
        !JSON.stringify(is.Retry).includes('States.TaskFailed'),
    ),
};

describe.each(Object.keys(TEMPLATES))('with %s', (name) => {
  it.each(Object.keys(RULES))('%s', (sentence) => {
    expect(RULES[sentence]!(TEMPLATES[name]!)).toEqual([]);
  });
});

/**
 * What functions may do with objects, by their names, with the folders of another app in place of our own. (Each function
 * does its work with our own: `test/local/access/permissions.test.ts`.)
 */
function objectPermissions(all: Resources, folders: readonly (readonly [RegExp, string])[]) {
  return Object.fromEntries(
    [...all.handlers].map(([name, { is }]) => {
      const allowed = all
        .statementsOf(is.Role)
        .flatMap(({ actions, on }) =>
          actions.flatMap((action) => on.map((resource) => `${action} ${resource}`)),
        )
        .filter((text) => text.startsWith('s3:'))
        .map((text) => folders.reduce((shown, [folder, ours]) => shown.replace(folder, ours), text));
      return [name, allowed.sort()];
    }),
  );
}

it('functions of another app may do in its folders what ours may do, and nothing else', () => {
  const ours = objectPermissions(TEMPLATES['the default settings']!, [
    [/<BucketsInput\w+\.Arn>/, 'in'],
    [/<BucketsResults\w+\.Arn>/, 'out'],
  ]);
  const others = objectPermissions(TEMPLATES['another app']!, [
    [/<In\w+\.Arn>/, 'in'],
    [/<Out\w+\.Arn>/, 'out'],
    [/ (in|out)\//, ' $1/outside/'],
    [/outside\/in\/new\//, 'inbox/'],
    [/outside\/in\/later\//, 'scheduled/'],
    [/out\/outside\/solved\//, 'out/'],
  ]);
  expect(others).toEqual(ours);
});

// The validator takes a second for a template: each night, it reads all.
describe.each(DEEP ? Object.keys(TEMPLATES) : ['all settings'])('with %s', (name) => {
  it('every definition of a state machine is valid for an independent validator', async () => {
    const machines = TEMPLATES[name]!.of('StepFunctions::StateMachine');
    expect(machines).toHaveLength(2);
    for (const { is } of machines) {
      const text = JSON.stringify(is.DefinitionString).replaceAll('<AWS::Partition>', 'aws');
      expect(await validate(JSON.parse(text))).toMatchObject({ isValid: true });
    }
  });
});
