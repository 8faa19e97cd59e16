/** The checks of a stack, in the order in which they are printed: what each reads, and how it is judged. */
import { Retries } from '../../aws/retries.ts';
import type { StackReader } from '../../aws/stack-reader.ts';
import { CommandError } from '../exit.ts';
import { polled } from '../remote/connection.ts';
import { remoteError } from '../remote/remote-error.ts';
import { queueName, StackParts, simulateCalls } from './facts.ts';
import { type Finding, fail, warn } from './finding.ts';
import {
  checkAlarms,
  checkBucket,
  checkDrifts,
  checkFunctions,
  checkIdentity,
  checkMappings,
  checkPermissions,
  checkQueues,
  checkQuotas,
  checkResources,
  checkStack,
} from './verdicts.ts';

/** @returns only the first findings if the stack could not be read */
export async function examine(reader: StackReader, name: string, nowMs: number): Promise<Finding[]> {
  const [identity, stack, resources] = [reader.identity(), reader.stack(name), reader.resources(name)];
  const known = Promise.all([identity, stack, resources]).then(
    (read) => new StackParts(...read),
    () => undefined,
  );
  const first = await Promise.all([
    findingsOf('identity', identity, checkIdentity),
    findingsOf('stack', stack, checkStack),
    findingsOf('resources', resources, checkResources),
  ]);
  const parts = await known;
  if (parts === undefined) return first.flat();
  const each = <Value>(type: string, read: (id: string) => Promise<Value>) =>
    Promise.all(parts.idsOf(type).map(read));
  const functions = each('AWS::Lambda::Function', (id) => reader.function(id));
  const mappings = each('AWS::Lambda::EventSourceMapping', (id) => reader.mapping(id));
  const queues = each('AWS::SQS::Queue', async (url) => {
    const oldestSeconds = await reader.oldestMessageSeconds(queueName(url), nowMs);
    return { url, oldestSeconds, attributes: await reader.queue(url) };
  });
  // A stack without the output is a finding.
  const uploads = () => parts.output('InputBucketName');
  const rest = await Promise.all([
    findingsOf('template', readDrifts(reader, name), checkDrifts),
    findingsOf('functions', functions, checkFunctions),
    findingsOf(
      'quotas',
      (async () => {
        const { AccountLimit = {} } = await reader.account();
        const { definition = '' } = await reader.machine(parts.output('SolveLargeArn'));
        return [await functions, await mappings, AccountLimit, definition] as const;
      })(),
      (found) => checkQuotas(...found),
    ),
    findingsOf('buckets', (async () => reader.bucket(uploads()))(), (state) =>
      checkBucket(uploads(), state, parts, nowMs),
    ),
    findingsOf('mapping', mappings, checkMappings),
    findingsOf('queue', queues, (found) => checkQueues(found, parts)),
    findingsOf('alarms', readAlarms(reader, parts.idsOf('AWS::CloudWatch::Alarm')), (found) =>
      checkAlarms(...found),
    ),
    findingsOf(
      'permissions',
      functions.then((found) => simulateCalls(reader, parts, found)),
      checkPermissions,
    ),
  ]);
  return [...first, ...rest].flat();
}

/** Waits until CloudFormation has compared the resources with the template. */
export async function readDrifts(reader: Pick<StackReader, 'detectDrifts' | 'drifts'>, name: string) {
  const id = await reader.detectDrifts(name);
  return (await polled({ retries: new Retries() }, () => reader.drifts(name, id)))!;
}

/** The alarms with these names, and the topics to which they publish. */
async function readAlarms(reader: StackReader, names: readonly string[]) {
  const alarms = (await reader.alarms()).filter(({ AlarmName = '' }) => names.includes(AlarmName));
  const actions = new Set(alarms.flatMap(({ AlarmActions = [] }) => AlarmActions));
  const topics = [...actions]
    .filter((arn) => arn.includes(':sns:'))
    .map(async (arn) => ({ arn, attributes: await reader.topic(arn) }));
  return [alarms, await Promise.all(topics)] as const;
}

const DENIED = /^(AccessDenied|UnauthorizedOperation|AuthorizationError)/;
/** A resource of the stack that was removed by another program. */
const MISSING = /NotFound|DoesNotExist|NonExistent|NoSuchBucket|NoSuchEntity/;

/** The findings about what was read; one that says why it could not be read. @throws defects */
async function findingsOf<Facts>(
  check: string,
  read: Promise<Facts>,
  judge: (facts: Facts) => readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return judge(await read);
  } catch (error) {
    const { name, message } = error as Error;
    if (DENIED.test(name)) {
      const todo = 'use credentials that may read it, such as the policy ReadOnlyAccess';
      return [warn(check, `not checked: ${message}`, todo)];
    }
    if (MISSING.test(name)) return [fail(check, message, 'it was removed outside of the stack: restore it')];
    const failure = remoteError(error, check);
    if (!(failure instanceof CommandError)) throw failure;
    const [text = '', ...todo] = failure.message.replace(`${check}: `, '').split(': ');
    return [fail(check, text, todo.join(': ') || 'run doctor again')];
  }
}
