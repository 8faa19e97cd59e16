/** The checks of a stack, in the order in which they are printed: what each reads, and how it is judged. */
import type { StackReader } from '../../aws/stack-reader.ts';
import type { RunSettings } from '../../batch/limits.ts';
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
    findingsOf('identity', async () => checkIdentity(await identity)),
    findingsOf('stack', async () => checkStack(await stack)),
    findingsOf('resources', async () => checkResources(await resources)),
  ]);
  const parts = await known;
  if (parts === undefined) return first.flat();
  const each = <Value>(type: string, read: (id: string) => Promise<Value>) =>
    Promise.all(parts.idsOf(type).map(read));
  const functions = each('AWS::Lambda::Function', (id) => reader.function(id));
  const mappings = each('AWS::Lambda::EventSourceMapping', (id) => reader.mapping(id));
  const quotas = async () => {
    const settings: RunSettings = JSON.parse(parts.output('RunSettings'));
    return checkQuotas(await functions, settings, (await reader.account()).AccountLimit);
  };
  const buckets = async () => {
    const uploads = parts.output('InputBucketName');
    return checkBucket(uploads, await reader.bucket(uploads), parts.resource(uploads), nowMs);
  };
  const queues = async () => {
    const found = await each('AWS::SQS::Queue', async (url) => {
      const oldestSeconds = await reader.oldestMessageSeconds(queueName(url), nowMs);
      return { url, oldestSeconds, attributes: await reader.queue(url) };
    });
    return checkQueues(found, queueName(parts.output('QueueUrl')));
  };
  const permissions = async () => checkPermissions(await simulateCalls(reader, parts, await functions));
  const rest = await Promise.all([
    findingsOf('template', async () =>
      checkDrifts(await reader.drifts(name, async (ask) => (await polled(reader, ask))!)),
    ),
    findingsOf('functions', async () => checkFunctions(await functions)),
    findingsOf('quotas', quotas),
    findingsOf('buckets', buckets),
    findingsOf('mapping', async () => checkMappings(await mappings)),
    findingsOf('queue', queues),
    findingsOf('alarms', () => alarms(reader, parts.idsOf('AWS::CloudWatch::Alarm'))),
    findingsOf('permissions', permissions),
  ]);
  return [...first, ...rest].flat();
}

/** What is wrong with the alarms with these names, and with the topics to which they publish. */
async function alarms(reader: StackReader, names: readonly string[]): Promise<readonly Finding[]> {
  const all = (await reader.alarms()).filter(({ AlarmName = '' }) => names.includes(AlarmName));
  const actions = new Set(all.flatMap(({ AlarmActions = [] }) => AlarmActions));
  const topics = [...actions].filter((arn) => arn.includes(':sns:'));
  const read = topics.map(async (arn) => ({ arn, attributes: await reader.topic(arn) }));
  return checkAlarms(all, await Promise.all(read));
}

const DENIED = /^(AccessDenied|UnauthorizedOperation|AuthorizationError)/;
/** A resource of the stack that was removed by another program. */
const MISSING = /NotFound|DoesNotExist|NonExistent|NoSuchBucket|NoSuchEntity/;

/** What a check has found; if it could not read the stack, that and why. @throws defects */
async function findingsOf(
  check: string,
  find: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await find();
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
