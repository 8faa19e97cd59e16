/** Answers of AWS that the local stack does not give; `test/cli/commands/doctor.slow.test.ts` has all others. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { StackInspection } from '../../lib/aws/stack-inspection.ts';
import { type Answer, scriptedServer } from '../support/scripted-server.ts';

const KEYS = { region: 'eu-west-1', accessKeyId: 'key', secretAccessKey: 'secret' };

async function inspectionOf(...answers: readonly Answer[]) {
  const { endpoint, requests } = await scriptedServer(...answers);
  const inspection = new StackInspection({ endpoint, ...KEYS });
  onTestFinished(() => inspection.close());
  return { inspection, requests };
}

function xml(action: string, result: string): Answer {
  return reply(200, `<${action}Response><${action}Result>${result}</${action}Result></${action}Response>`);
}

function json(body: object): Answer {
  return reply(200, JSON.stringify(body));
}

function reply(status: number, body: string): Answer {
  return (response, request) => {
    request.resume();
    response.writeHead(status).end(body);
  };
}

test('the concurrent executions of an account', async () => {
  const limits = { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 900 };
  const { inspection } = await inspectionOf(json({ AccountLimit: limits }));
  expect(await inspection.accountConcurrency()).toEqual({ total: 1000, unreserved: 900 });
});

test('the time of the last deployment, and resources on several pages with the reason of a failure', async () => {
  const stack =
    '<Stacks><member><StackName>S</StackName><StackStatus>UPDATE_ROLLBACK_COMPLETE</StackStatus>' +
    '<CreationTime>2026-01-01T00:00:00Z</CreationTime><LastUpdatedTime>2026-02-01T00:00:00Z</LastUpdatedTime></member></Stacks>';
  const resource = (id: string, rest = '') =>
    `<member><LogicalResourceId>${id}</LogicalResourceId><ResourceType>T</ResourceType>${rest}</member>`;
  const first = `<StackResourceSummaries>${resource('A')}</StackResourceSummaries><NextToken>t</NextToken>`;
  const failed =
    '<ResourceStatus>CREATE_FAILED</ResourceStatus><ResourceStatusReason>quota</ResourceStatusReason>';
  const second = `<StackResourceSummaries>${resource('B', failed)}</StackResourceSummaries>`;
  const { inspection } = await inspectionOf(
    xml('DescribeStacks', stack),
    xml('ListStackResources', first),
    xml('ListStackResources', second),
  );
  expect((await inspection.stack('S')).changed).toEqual(new Date('2026-02-01T00:00:00Z'));
  expect(await inspection.resources('S')).toMatchObject([
    { logicalId: 'A', physicalId: '' },
    { logicalId: 'B', status: 'CREATE_FAILED', statusReason: 'quota' },
  ]);
});

test('a function with a reservation, and the URL of its code', async () => {
  const { inspection, requests } = await inspectionOf(
    json({
      Configuration: { Handler: 'a.handler', State: 'Active', Environment: { Variables: { A: 'b' } } },
      Concurrency: { ReservedConcurrentExecutions: 0 },
      Code: { Location: 'https://code' },
    }),
  );
  expect(await inspection.function('solve')).toMatchObject({
    reservedConcurrency: 0,
    codeUrl: 'https://code',
    environment: { A: 'b' },
  });
  expect(requests.map(({ line }) => line)).toEqual(['GET /2015-03-31/functions/solve']);
});

test('the subscriptions of a topic', async () => {
  const entry = (key: string, value: number) => `<entry><key>${key}</key><value>${value}</value></entry>`;
  const entries = entry('SubscriptionsConfirmed', 2) + entry('SubscriptionsPending', 1);
  const { inspection } = await inspectionOf(xml('GetTopicAttributes', `<Attributes>${entries}</Attributes>`));
  expect(await inspection.subscriptions('arn')).toEqual({ confirmed: 2, pending: 1 });
});

test('a bucket without settings', async () => {
  const answers: Answer = (response, request) => {
    const [, name] = /\?(\w+)/.exec(request.url!)!;
    if (name !== 'publicAccessBlock') return reply(200, `<${name}/>`)(response, request);
    return reply(404, '<Error><Code>NoSuchPublicAccessBlockConfiguration</Code></Error>')(response, request);
  };
  const { inspection } = await inspectionOf(answers);
  expect(await inspection.bucket('in')).toEqual({
    sendsEvents: false,
    versioning: 'off',
    blocksPublic: undefined,
  });
});

describe('decisions', () => {
  const of = (...results: string[]) =>
    xml(
      'SimulatePrincipalPolicy',
      `<IsTruncated>false</IsTruncated><EvaluationResults>${results.join('')}</EvaluationResults>`,
    );
  const one = '<EvalActionName>s3:GetObject</EvalActionName><EvalResourceName>a</EvalResourceName>';

  test.each([
    ['<EvalDecision>allowed</EvalDecision>', { isAllowed: true, decision: 'allowed' }],
    ['<EvalDecision>explicitDeny</EvalDecision>', { isAllowed: false, decision: 'explicitDeny' }],
    [
      '<EvalDecision>implicitDeny</EvalDecision><OrganizationsDecisionDetail><AllowedByOrganizations>false</AllowedByOrganizations></OrganizationsDecisionDetail>',
      { isAllowed: false, decision: 'implicitDeny by the organisation' },
    ],
    [
      '<EvalDecision>implicitDeny</EvalDecision><PermissionsBoundaryDecisionDetail><AllowedByPermissionsBoundary>false</AllowedByPermissionsBoundary></PermissionsBoundaryDecisionDetail>',
      { isAllowed: false, decision: 'implicitDeny by the permissions boundary' },
    ],
  ])('%s', async (detail, expected) => {
    const { inspection } = await inspectionOf(of(`<member>${one}${detail}</member>`));
    expect(await inspection.simulate('role', ['s3:GetObject'], ['a'])).toEqual([
      { action: 's3:GetObject', resource: 'a', ...expected },
    ]);
  });

  test('of several resources', async () => {
    const specific = (name: string, decision: string) =>
      `<member><EvalResourceName>${name}</EvalResourceName><EvalResourceDecision>${decision}</EvalResourceDecision></member>`;
    const both = `<ResourceSpecificResults>${specific('a', 'allowed')}${specific('b', 'implicitDeny')}</ResourceSpecificResults>`;
    const { inspection } = await inspectionOf(
      of(`<member>${one}<EvalDecision>implicitDeny</EvalDecision>${both}</member>`),
    );
    const found = await inspection.simulate('role', ['s3:GetObject'], ['a', 'b']);
    expect(found.map(({ resource, isAllowed }) => [resource, isAllowed])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });
});

test.each([
  ['a page', '<html></html>'],
  ['nothing', ''],
])('a server that is none of AWS answers with %s', async (_what, body) => {
  const { inspection } = await inspectionOf(reply(200, body));
  await expect(inspection.identity()).rejects.toMatchObject({ name: 'ForeignAnswerError' });
  await expect(inspection.stack('S')).rejects.toMatchObject({ name: 'ForeignAnswerError' });
});
