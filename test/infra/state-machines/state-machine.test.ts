/** The log groups of the state machines. */
import { describe, expect, it } from 'vitest';
import { resourceOf, templateWith } from '../synthesised.ts';

const MACHINES = ['SolveLargeArn', 'BulkRunArn'];

/** The log group of a state machine in the template. */
function logGroupOf(output: string, context: Record<string, unknown> = {}) {
  const template = templateWith(context);
  const [destination] = resourceOf(template, output).Properties.LoggingConfiguration.Destinations;
  const id = destination.CloudWatchLogsLogGroup.LogGroupArn['Fn::GetAtt'][0];
  return template.toJSON().Resources[id];
}

/** The name of a state machine's log group in a stack with this id. */
function nameIn(stackId: string, output: string, context: Record<string, unknown> = {}): string {
  return resolve(logGroupOf(output, context).Properties.LogGroupName, stackId);
}

function resolve(value: unknown, stackId: string): string {
  if (typeof value === 'string') return value;
  const { Ref, ...functions } = value as Record<string, unknown>;
  if (Ref === 'AWS::StackId') return stackId;
  const join = functions['Fn::Join'] as [string, unknown[]] | undefined;
  if (join !== undefined) return join[1].map((part) => resolve(part, stackId)).join(join[0]);
  const [index, split] = functions['Fn::Select'] as [number, { 'Fn::Split': [string, unknown] }];
  const [separator, text] = split['Fn::Split'];
  return resolve(text, stackId).split(separator)[index]!;
}

const stackId = (uuid: string) => `arn:aws:cloudformation:eu-west-1:111122223333:stack/DlxBatch/${uuid}`;
const FIRST = stackId('9f3c2a10-6f5e-11ef-8c11-0a58a9feac02');
const AGAIN = stackId('51af3dc0-da77-11e4-872e-1234567db123');

describe.each(MACHINES)('the log group of %s', (output) => {
  it('has a name that takes no space in the resource policy of the account', () => {
    expect(nameIn(FIRST, output)).toMatch(/^\/aws\/vendedlogs\/states\/DlxBatch-[\w-]+$/);
  });

  it('fits the limit of CloudWatch for the longest name of a stack', () => {
    const name = nameIn(FIRST, output, { 'dlx:stackName': `d${'x'.repeat(127)}` });
    expect(name.length).toBeLessThanOrEqual(512);
  });

  it('has another name in a stack that is deployed again, so that a remaining log group does not collide', () => {
    expect(nameIn(AGAIN, output)).not.toBe(nameIn(FIRST, output));
  });

  it('has another name in another stack', () => {
    expect(nameIn(FIRST, output, { 'dlx:stackName': 'Puzzles' })).not.toBe(nameIn(FIRST, output));
  });

  it('is deleted with the stack', () => {
    expect(logGroupOf(output)).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
  });
});

it('every state machine has its own log group', () => {
  expect(new Set(MACHINES.map((output) => nameIn(FIRST, output))).size).toBe(MACHINES.length);
});
