/** Functions of the local stack have the permissions of their roles in the synthesised template, and no others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WORK_PREFIX } from '../../../lib/batch/names.ts';
import { StackAccess } from '../../../lib/local/access/stack-access.ts';
import { namesOf, type StackTemplate } from '../../../lib/local/template.ts';
import { builtProgram, roleNamed as roleIn } from '../../support/built-program.ts';
import { temporaryFolder } from '../fixture-function.ts';

const BUS = 'arn:aws:events:us-east-1:000000000000:event-bus';
const INPUT = 'arn:aws:s3:::dlx-batch-input';
const RESULTS = 'arn:aws:s3:::dlx-batch-results';
const OWNER = { accessKeyId: 'OWNER', secretAccessKey: 'secret' };

let template: StackTemplate;
beforeAll(async () => {
  ({ template } = await builtProgram(temporaryFolder(afterAll)));
});

function accessOf(changed: StackTemplate): StackAccess {
  return new StackAccess(changed, namesOf(changed, 'http://127.0.0.1:9000', 'current'), OWNER);
}

const roleNamed = (name: string) => roleIn(template, name);

describe('a role', () => {
  // Who may do what by the template: `test/infra/snapshots/permissions.txt`.
  test.each([
    ['solve-batch', 's3:GetObjectVersion', `${INPUT}/inbox/a.txt`, true],
    ['solve-batch', 's3:GetObjectVersion', `${INPUT}/elsewhere/a.txt`, false],
    ['solve-shard', 's3:PutObject', `${RESULTS}/${WORK_PREFIX}a`, true],
    ['solve-shard', 's3:PutObject', `${RESULTS}/results/a`, false],
  ])('%s, %s on %s: %s', (name, action, resource, allowed) => {
    expect(accessOf(template).isAllowed(roleNamed(name), action, resource)).toBe(allowed);
  });

  test.each([
    ['solve-batch', 'dlx-batch', true],
    ['solve-batch', 'another', false],
    ['solve-shard', 'dlx-batch', false],
  ] as const)('%s sends events of source %s: %s', (name, source, allowed) => {
    const call = [roleNamed(name), 'events:PutEvents', BUS] as const;
    expect(accessOf(template).isAllowed(...call, { 'events:source': source })).toBe(allowed);
  });

  test('has keys of its own, the same after a restart', () => {
    const keys = accessOf(template).keys;
    expect(new Set(keys.map(({ accessKeyId }) => accessKeyId)).size).toBe(keys.length);
    expect(accessOf(template).keys).toEqual(keys);
  });

  test('with a policy that cannot be evaluated is rejected', () => {
    const changed = structuredClone(template);
    const role = changed.Resources[roleNamed('solve-batch')]!.Properties as Record<string, unknown>;
    role.ManagedPolicyArns = ['arn:aws:iam::aws:policy/AdministratorAccess'];
    expect(() => accessOf(changed)).toThrow('cannot evaluate ManagedPolicyArns');
  });

  test.each(['AWS::IAM::ManagedPolicy', 'AWS::IAM::RolePolicy', 'AWS::SQS::QueueInlinePolicy'])(
    'with a policy of type %s is rejected',
    (Type) => {
      const Properties = { Roles: [{ Ref: roleNamed('solve-batch') }] };
      const Resources = { ...template.Resources, Other: { Type, Properties } };
      expect(() => accessOf({ ...template, Resources })).toThrow(
        `cannot evaluate Other, which is an ${Type}`,
      );
    },
  );
});

describe('the policy of a bucket', () => {
  const role = () => roleNamed('solve-batch');
  const object = `${RESULTS}/results/a`;

  /** The template with other values in the statements that deny requests without TLS. */
  const withDeny = (change: object) =>
    JSON.parse(JSON.stringify(template), (_name, value) =>
      value?.Effect === 'Deny' ? { ...value, ...change } : value,
    ) as StackTemplate;

  test('denies requests without TLS, which no request of this machine is', () => {
    const denied = withDeny({ Condition: { Bool: { 'aws:SecureTransport': 'true' } } });
    expect(accessOf(template).isAllowed(role(), 's3:PutObject', object)).toBe(true);
    expect(accessOf(denied).isAllowed(role(), 's3:PutObject', object)).toBe(false);
    expect(accessOf(denied).isAllowed(undefined, 's3:PutObject', object)).toBe(true);
  });

  test.each([
    ['its role', role, false],
    ['another role', () => 'other', true],
  ])('that denies %s decides', (_what, denied, allowed) => {
    const Principal = { AWS: `arn:aws:iam::000000000000:role/${denied()}` };
    const access = accessOf(withDeny({ Principal, Condition: {} }));
    expect(access.isAllowed(role(), 's3:PutObject', object)).toBe(allowed);
  });
});
