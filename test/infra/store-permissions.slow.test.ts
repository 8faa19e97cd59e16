/**
 * Every function's role allows what the function does in another app, whose buckets have keys and prefixes: jobs and runs
 * with the permissions of the template. (Our own stack: `test/local/access/permissions.test.ts`.)
 */
import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3Store } from '../../lib/aws/s3-store.ts';
import { type Upload, uploadInMessage } from '../../lib/batch/delivery/upload-event.ts';
import type { ObjectStore } from '../../lib/batch/ports.ts';
import { prefixedStore } from '../../lib/batch/storage/prefixed-store.ts';
import { executionFailureIn, recordExecutionFailure } from '../../lib/batch/upload/execution-failure.ts';
import { DlxBatch } from '../../lib/infra/dlx-batch.ts';
import type { KeyPrefixes } from '../../lib/infra/puzzle-buckets.ts';
import { RUN, runBulk, SentMessages } from '../support/bulk-run.ts';
import { INPUT_BUCKET, RESULTS_BUCKET, uploadDependencies } from '../support/dependencies.ts';
import { type EmbeddedS3, startEmbeddedS3 } from '../support/embedded-s3.ts';
import { guardedClient } from '../support/guarded-client.ts';
import { largeJob, runLarge } from '../support/large-job.ts';
import { MemoryBuckets } from '../support/memory-store.ts';
import { EASY, MIXED_FILE } from '../support/puzzles.ts';
import { deliver } from '../support/uploads.ts';
import { type Allowed, allows, statementsOf } from './role-permissions.ts';
import { newApp, outputLogicalId, resourceOf } from './synthesised.ts';

/** The construct in another app, with existing buckets that have keys; outputs as in our own stack. */
function templateOfOtherApp({ inbox, scheduled, results }: KeyPrefixes): Template {
  const stack = new Stack(newApp({}), 'Shop');
  const bucket = (id: string) =>
    new Bucket(stack, id, { versioned: true, encryptionKey: new Key(stack, `${id}Key`) });
  const batch = new DlxBatch(stack, 'Puzzles', {
    puzzleBucket: bucket('In'),
    resultsBucket: bucket('Out'),
    inboxPrefix: inbox,
    scheduledPrefix: scheduled,
    resultsPrefix: results,
  });
  const output = (id: string, value: string) => new CfnOutput(stack, id, { value });
  output('InputBucketName', batch.puzzleBucket.bucketName);
  output('ResultsBucketName', batch.resultsBucket.bucketName);
  output('SolveLargeArn', batch.solveLarge.stateMachineArn);
  return Template.fromStack(stack);
}

const OTHER_PREFIXES: KeyPrefixes = { inbox: 'in/new/', scheduled: 'in/later/', results: 'solved/' };

/** Names of the steps of a large job, as `runLarge` has them, and what runs them. */
const STEPS: Readonly<Record<string, string>> = {
  plan: 'plan-shards',
  count: 'count-shard',
  solve: 'solve-shard',
  merge: 'merge-shards',
  maps: 'SolveLarge',
};
/** Two parts and more of the least size that S3 joins. */
const LARGE = `${EASY}\n`.repeat(135_000);

/** What S3 asks for on the key of a bucket. @see "Multipart upload API and permissions", Amazon S3 User Guide */
const KEY_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  's3:GetObject': ['kms:Decrypt'],
  's3:GetObjectVersion': ['kms:Decrypt'],
  's3:PutObject': ['kms:GenerateDataKey', 'kms:Decrypt'],
};

let server: EmbeddedS3;
/** Operations of S3 that were called. */
const used = new Set<string>();

beforeAll(async () => {
  server = await startEmbeddedS3();
});
afterAll(() => server.stop());

async function uploaded(key: string, text: string): Promise<Upload> {
  return uploadInMessage(JSON.parse(await server.upload(key, text)))!;
}

describe('with the permissions of another app', () => {
  const prefixes = OTHER_PREFIXES;
  const template = templateOfOtherApp(prefixes);
  const { inbox, scheduled } = prefixes;
  const buckets = new Map([
    [INPUT_BUCKET, bucketOf('InputBucketName')],
    [RESULTS_BUCKET, bucketOf('ResultsBucketName')],
  ]);
  const roles = new Map(
    Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => [
      Properties.Handler.replace('.handler', '') as string,
      Properties.Role['Fn::GetAtt'][0] as string,
    ]),
  );
  roles.set('SolveLarge', resourceOf(template, 'SolveLargeArn').Properties.RoleArn['Fn::GetAtt'][0]);

  /** A bucket in policies, and its key if it has one. */
  function bucketOf(output: string): { readonly name: string; readonly key?: string } {
    const [rule] = resourceOf(template, output).Properties.BucketEncryption.ServerSideEncryptionConfiguration;
    const keyArn = rule.ServerSideEncryptionByDefault.KMSMasterKeyID;
    return {
      name: `<${outputLogicalId(template, output)}>`,
      key: keyArn && `<${keyArn['Fn::GetAtt'][0]}>`,
    };
  }

  /** The store as a function sees it that runs with its role. */
  function storeOf(name: string): ObjectStore {
    const statements: Allowed[] = statementsOf(template, roles.get(name)!);
    const granted = (action: string, resource: string) => {
      const [bucketName, ...path] = resource.split('/');
      const { name: bucket, key } = buckets.get(bucketName!)!;
      return (
        allows(statements, action, [bucket, ...path].join('/')) &&
        (KEY_ACTIONS[action] ?? []).every((use) => key === undefined || allows(statements, use, key))
      );
    };
    return prefixedStore(
      s3Store(guardedClient(server.endpoint, granted, used)),
      RESULTS_BUCKET,
      prefixes.results,
    );
  }

  const results = (prefix: string) => server.results(prefixes.results + prefix);

  /** Delivers a message to the function that solves; what it ends as. */
  async function delivered(upload: Upload): Promise<string> {
    const outcome = await deliver(new MemoryBuckets(), upload, {
      dependencies: { store: storeOf('solve-batch') },
    });
    return outcome.kind;
  }

  it('solve-batch solves, replaces, rejects, and finds a duplicate', async () => {
    const first = await uploaded(`${inbox}a b+%.txt`, MIXED_FILE);
    expect(await delivered(first)).toBe('completed');
    expect(await delivered(first)).toBe('duplicate');
    expect(await delivered(await uploaded(`${inbox}a b+%.txt`, EASY))).toBe('completed');
    expect(await delivered(await uploaded(`${scheduled}a.txt`, 'Dear all,\n'))).toBe('rejected');
  });

  it('solve-batch records a large job that failed, with the shard that failed', async () => {
    const job = largeJob(await uploaded(`${inbox}failing.txt`, MIXED_FILE));
    const store = (step: string) => {
      if (step.startsWith('solve 1')) throw new Error('out of memory');
      return storeOf(STEPS[step.split(' ')[0]!]!);
    };
    const run = runLarge(new MemoryBuckets(), job, { shardBytes: 100, store });
    await expect(run).rejects.toThrow('out of memory');
    const failure = executionFailureIn({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      detail: { name: 'attempt-a', status: 'FAILED', input: JSON.stringify(job) },
    })!;
    await recordExecutionFailure(failure, undefined, uploadDependencies(storeOf('solve-batch'), 'x'));
    const [status] = await results(`status/${inbox}failing.txt/`);
    expect(await server.json(status!)).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('at shard 1') },
    });
  });

  it('the steps of a large job solve a file whose parts S3 joins', async () => {
    const job = largeJob(await uploaded(`${inbox}large.txt`, LARGE));
    const store = (step: string) => storeOf(STEPS[step.split(' ')[0]!]!);
    used.clear();
    const steps = await runLarge(new MemoryBuckets(), job, {
      shardBytes: 6_000_000,
      store,
      functionMs: 1e12,
    });
    expect(steps).toEqual(['plan', 'count 0', 'count 1', 'plan', 'solve 0', 'solve 1', 'merge']);
    expect([...used]).toEqual(expect.arrayContaining(['UploadPartCopy', 'ListParts']));
    expect(await results(`results/${inbox}large.txt/latest.json`)).toHaveLength(1);
  });

  it('plan-shards rejects a file', async () => {
    const job = largeJob(await uploaded(`${inbox}prose.txt`, 'Dear all,\n'));
    const store = (step: string) => storeOf(STEPS[step.split(' ')[0]!]!);
    expect(await runLarge(new MemoryBuckets(), job, { store })).toEqual(['plan']);
    expect(await results(`rejects/${inbox}prose.txt/`)).toHaveLength(1);
  });

  it('run-step plans, follows and reports', async () => {
    await uploaded(`${scheduled}night.txt`, EASY);
    const queue = new SentMessages();
    const steps = await runBulk(new MemoryBuckets(), RUN, {
      queue,
      dependencies: { store: storeOf('run-step'), graceMinutes: 0, uploadPrefixes: prefixes },
      whileWaiting: async () => {
        for (const upload of queue.uploads.splice(0)) await delivered(upload);
      },
    });
    expect(new Set(steps)).toEqual(new Set(['plan', 'follow', 'report']));
    expect(await results(`runs/${RUN.runId}/report.json`)).toHaveLength(1);
  });
});
