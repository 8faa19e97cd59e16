/** The managed policies allow uploaders, readers and operators their commands, as roles of the local stack, and no others. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { s3ClientFor } from '../../../lib/aws/s3-client.ts';
import { StackAccess } from '../../../lib/local/access/stack-access.ts';
import type { LocalStack } from '../../../lib/local/stack.ts';
import { LOCAL_ACCOUNT } from '../../../lib/local/stack-names.ts';
import type { StackTemplate } from '../../../lib/local/template.ts';
import { folderWith, runProgram } from '../../cli/program.ts';
import { builtProgram } from '../../support/built-program.ts';
import { EASY } from '../../support/puzzles.ts';
import { expectTable } from '../../support/text-table.ts';
import { temporaryFolder } from '../fixture-function.ts';
import { endThreadStack, startThreadStack, ThreadFunctions } from './thread-functions.ts';

const USERS = {
  uploader: ['Upload'],
  reader: ['Read'],
  operator: ['Read', 'Operate'],
  examiner: ['Read', 'Operate', 'Examine'],
} as const;
type User = keyof typeof USERS;

const functions = new ThreadFunctions();
let access: StackAccess;
let stack: LocalStack;
/** Functions wait for the end of a command, which has other environment variables. */
let command: Promise<unknown> = Promise.resolve();

beforeAll(async () => {
  const template = withUsers((await builtProgram(temporaryFolder(afterAll))).template);
  const original = StackAccess.prototype.isAllowed;
  vi.spyOn(StackAccess.prototype, 'isAllowed').mockImplementation(function (this: StackAccess, ...call) {
    access = this;
    return original.apply(this, call);
  });
  stack = await startThreadStack(functions, {
    template,
    startFunction: (options) => ({
      ...functions.start(options),
      invoke: (event) => command.then(() => functions.start(options).invoke(event)),
    }),
    environment: { DEFAULT_OPTIONS: '{"engine":"backtrack"}' },
  });
  const owner = s3ClientFor(stack);
  for (const [Key, Body] of [
    ['inbox/solved.txt', EASY],
    ['inbox/rejected.txt', 'Dear all,\n'],
  ] as const) {
    await owner.putObject({ Bucket: stack.inputBucket, Key, Body });
  }
  owner.destroy();
  await stack.idle();
});

afterAll(() => endThreadStack(stack));

/** The template with a role for each user, which has the statements of its managed policies. */
function withUsers(template: StackTemplate): StackTemplate {
  const added = Object.entries(USERS).flatMap(([user, policies]) =>
    policies.map((policy) => [
      `${user}${policy}`,
      {
        Type: 'AWS::IAM::Policy',
        Properties: { Roles: [{ Ref: user }], PolicyDocument: documentOf(template, `${policy}PolicyArn`) },
      },
    ]),
  );
  return { ...template, Resources: { ...template.Resources, ...Object.fromEntries(added) } };
}

function documentOf({ Resources, Outputs }: StackTemplate, output: string) {
  const { Ref } = Outputs[output]!.Value as { Ref: string };
  return Resources[Ref]!.Properties.PolicyDocument;
}

/** Runs a command with the keys of a user. */
async function run(user: User, line: string) {
  const [name, ...args] = line.split(' ');
  await stack.idle();
  const { accessKeyId, secretAccessKey } = access.keysOf(user);
  const folder = folderWith({ 'new.txt': EASY }, onTestFinished);
  const running = runProgram(
    folder,
    [name!, '--endpoint', stack.endpoint, '--retry-for', '0s', ...args],
    '',
    {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      XDG_STATE_HOME: join(folder, 'none'),
      PATH: process.env.PATH,
    },
  );
  command = running;
  return await running;
}

test('commands of users end as user-policies.txt says', () =>
  expectTable(new URL('user-policies.txt', import.meta.url), {
    'the exit statuses of commands, and whether access was denied': async ([user, line]) => {
      const { status, stderr } = await run(user, line);
      return `${status}${/denied|forbidden/i.test(stderr) ? ', denied' : ''}`;
    },
  }));

test.each<[User, boolean]>([
  ['uploader', false],
  ['reader', false],
  ['operator', false],
  ['examiner', true],
])('%s finds the outputs of the stack by its name; its resources: %s', (user, isExaminer) => {
  const mayDo = (action: string) =>
    access.isAllowed(
      user,
      `cloudformation:${action}`,
      `arn:aws:cloudformation:${stack.region}:${LOCAL_ACCOUNT}:stack/DlxBatch/*`,
    );
  expect([mayDo('DescribeStacks'), mayDo('ListStackResources')]).toEqual([true, isExaminer]);
});
