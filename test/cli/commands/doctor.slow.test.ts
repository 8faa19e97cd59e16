/** `dlx-batch doctor` against the local stack: as it is, and with everything broken that can break there. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { FunctionRunner } from '../../../lib/local/functions/function-host.ts';
import { type LocalStack, type LocalStackOptions, startLocalStack } from '../../../lib/local/stack.ts';
import { type StackTemplate, synthesise } from '../../../lib/local/states/template.ts';
import { SkippingTimerClock } from '../../../lib/local/timer-clock.ts';
import { type AtEnd, temporaryFolder } from '../../local/fixture-function.ts';
import { runProgram } from '../program.ts';

let template: StackTemplate;

beforeAll(async () => {
  template = await synthesise(temporaryFolder(afterAll));
}, 120_000);

/** Every message fails. */
const failing: FunctionRunner = {
  invoke: async () => ({
    ok: false,
    error: { errorType: 'Error', errorMessage: 'broken' },
    requestId: '',
    durationMs: 0,
    coldStart: false,
    maxMemoryBytes: 0,
  }),
  close: async () => {},
};

async function startStack(options: Partial<LocalStackOptions>, atEnd: AtEnd = onTestFinished) {
  const stack = await startLocalStack({
    dataDir: temporaryFolder(atEnd),
    codeDir: temporaryFolder(atEnd),
    synthesise: async () => template,
    startFunction: () => failing,
    concurrency: 2,
    ...options,
  });
  atEnd(() => stack.close());
  return stack;
}

async function doctor({ endpoint, accessKeyId, secretAccessKey }: LocalStack, ...options: string[]) {
  const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  const folder = temporaryFolder(onTestFinished);
  const environment = { ...process.env, ...keys, AWS_REGION: 'us-east-1' };
  return runProgram(folder, ['doctor', '--endpoint', endpoint, ...options], '', environment);
}

describe('doctor', () => {
  test('reports a stack that works, line by line', async () => {
    const { status, stdout, stderr } = await doctor(await startStack({ schedule: 'rate(1 day)' }));
    expect(stdout.split('\n')).toEqual([
      'ok    identity     arn:aws:iam::000000000000:root, account 000000000000',
      'ok    region       us-east-1',
      'ok    stack        DlxBatch is CREATE_COMPLETE',
      'ok    outputs      7 outputs that commands use',
      expect.stringMatching(/^ok {4}resources {4}\d+ resources$/),
      'ok    bootstrap    not checked: The local stack needs no bootstrap stack',
      'ok    functions    active: 7 functions',
      'ok    quotas       not checked: The local stack has no quotas of an account',
      'ok    code         not checked: the local stack runs the code of its own program',
      'ok    events       dlx-batch-input sends them to EventBridge',
      'ok    versioning   on in dlx-batch-input',
      'ok    public       dlx-batch-input blocks public access',
      'ok    public       dlx-batch-results blocks public access',
      'ok    rule         UploadsObjectCreated7070216E is enabled and sends to dlx-batch-jobs',
      'ok    rule         SolveLargeUnsuccessful732C7041 is enabled and sends to dlx-batch-jobs',
      'ok    shared       not checked: The local stack does not implement AWSEvents.ListRules',
      'ok    mapping      dlx-batch-jobs to solve-batch is Enabled, at most 2 at once; last result: No records processed',
      'ok    visibility   visibility timeout 5400 s, function timeout 900 s',
      'ok    queue        dlx-batch-jobs: 0 waiting, 0 in progress or hidden',
      'ok    dead         no dead letters in 4 queues',
      'ok    schedule     rate(1 day) is enabled',
      expect.stringMatching(/^ok {4}alarms {7}\d+ alarms, none raised, \d+ without data$/),
      expect.stringMatching(/^warn {2}notified {5}no action: \d+ alarms; deploy with -c dlx:alarmEmails=/),
      expect.stringMatching(/^ok {4}permissions {2}allowed: \d+ calls of \d+ roles$/),
      '',
      '23 ok, 1 warn, 0 FAIL',
      '',
    ]);
    expect([status, stderr]).toEqual([0, '']);
  });

  test('fails for what is broken, and says what to do', async () => {
    const stack = await startStack({
      synthesise: async () => broken(template),
      maxReceives: 1,
      queueClock: new SkippingTimerClock(),
    });
    stack.send('?');
    await stack.idle();
    const { status, stdout } = await doctor(stack, '--json');
    const { findings, counts } = JSON.parse(stdout);
    const found = findings
      .filter((finding: { status: string }) => finding.status !== 'ok')
      .map(
        (finding: Record<string, string>) =>
          `${finding.status} ${finding.check}: ${finding.text}; ${finding.todo}`,
      );
    expect(found).toEqual([
      expect.stringMatching(/^FAIL outputs: missing DeadLetterQueueUrl; deploy with npx cdk deploy/),
      expect.stringMatching(
        /^FAIL rule: UploadsObjectCreated\w+ is DISABLED; aws events enable-rule --name Uploads/,
      ),
      expect.stringMatching(
        /^warn mapping: .*last result: PROBLEM: Function call failed; the message is retried/,
      ),
      expect.stringMatching(/^FAIL dead: 1 in UploadsDeadLetters\w+; fix the cause/),
      expect.stringMatching(/^warn schedule: .* is DISABLED.*dlx-batch run --endpoint \S+ starts a run now/),
      expect.stringMatching(/^warn notified: no action: \d+ alarms/),
      expect.stringMatching(
        /^FAIL permissions: SolveBatchRole\w+ may not call s3:GetObject on arn:aws:s3:::dlx-batch-results\/done\/KEY \(implicitDeny\); npx cdk deploy$/,
      ),
    ]);
    expect([status, counts.FAIL]).toEqual([1, 4]);
  });

  test('fails if there is no such stack', async () => {
    const { status, stdout } = await doctor(await startStack({}), '--stack', 'Other');
    expect(stdout).toContain(
      'FAIL  stack        no such stack in this region and account; give its name with --stack',
    );
    expect(status).toBe(1);
  });

  test('fails with keys that the stack does not accept, and asks nothing more', async () => {
    const stack = await startStack({});
    const { status, stdout } = await doctor({ ...stack, secretAccessKey: 'x'.repeat(40) });
    expect(stdout).toMatch(
      /^FAIL {2}identity {5}AWS does not accept the credentials; check AWS_PROFILE.*\n\n0 ok, 0 warn, 1 FAIL\n$/,
    );
    expect(status).toBe(1);
  });
});

/** With a rule that is off, without an output, and without a permission. */
function broken(whole: StackTemplate): StackTemplate {
  const copy = structuredClone(whole) as {
    Outputs: Record<string, unknown>;
    Resources: Record<string, unknown>;
  };
  delete copy.Outputs.DeadLetterQueueUrl;
  return JSON.parse(JSON.stringify(copy), (_name, value) => {
    if (value?.Type === 'AWS::Events::Rule' && value.Properties.Description.includes('inbox/')) {
      return { ...value, Properties: { ...value.Properties, State: 'DISABLED' } };
    }
    const isSolver = value?.Roles?.[0]?.Ref?.startsWith('SolveBatchRole');
    return isSolver ? JSON.parse(JSON.stringify(value).replace('/done/*', '/undone/*')) : value;
  });
}
