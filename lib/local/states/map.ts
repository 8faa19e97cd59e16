/**
 * A distributed map: one child for each line of an object in S3, a bounded number of them at a time.
 *
 * No failure is tolerated: after the last try of a child fails, the other children stop. A redrive continues children
 * that failed or were stopped from their state; a child that succeeded does not run again. The files with the outcomes of
 * the children, which Step Functions writes, are read by nobody, and are not written here; the permission is checked.
 */
import type { MapState } from './definition.ts';
import { checkAllowed, runStates, type StateRun } from './interpreter.ts';
import { fillTemplate, type Json, type PathScope, StateError } from './paths.ts';
import { childOf } from './progress.ts';

/** Abort reason of the children that stop because another one failed. */
const SIBLING_FAILED = Symbol('another child failed');

/**
 * Runs the children that have not succeeded yet.
 *
 * @throws StateError States.ItemReaderFailed, or States.ExceedToleratedFailureThreshold if a child failed
 */
export async function runMap(run: StateRun, state: MapState, scope: PathScope): Promise<void> {
  // The children are executions of the same machine.
  const { Id } = run.context.StateMachine as { Id: string };
  checkAllowed(run, 'states:StartExecution', Id, 'States.Permissions');
  const items = await readItems(run, state, scope);
  const failure = await runChildren(run, state, scope, items);
  run.signal.throwIfAborted();
  const { Bucket, Prefix } = fillTemplate(state.ResultWriter.Parameters, scope) as Record<string, Json>;
  checkAllowed(run, 's3:PutObject', `arn:aws:s3:::${Bucket}/${Prefix}`, 'States.ResultWriterFailed');
  if (failure === undefined) return;
  throw new StateError(
    'States.ExceedToleratedFailureThreshold',
    `The specified tolerated failure threshold was exceeded: ${failure}`,
  );
}

async function readItems(run: StateRun, { ItemReader }: MapState, scope: PathScope): Promise<Json[]> {
  const { Bucket, Key } = fillTemplate(ItemReader.Parameters, scope) as { Bucket: string; Key: string };
  checkAllowed(run, 's3:GetObject', `arn:aws:s3:::${Bucket}/${Key}`, 'States.ItemReaderFailed');
  const text = await run.dependencies.readText(Bucket, Key);
  if (text === undefined) {
    throw new StateError('States.ItemReaderFailed', `Object ${Key} does not exist in bucket ${Bucket}`);
  }
  try {
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Json]));
  } catch (error) {
    const message = `${Key} is not JSON in each line: ${(error as Error).message}`;
    throw new StateError('States.ItemReaderFailed', message);
  }
}

/** @returns why a child failed, if one did */
async function runChildren(
  run: StateRun,
  state: MapState,
  scope: PathScope,
  items: readonly Json[],
): Promise<string | undefined> {
  const { progress, record, dependencies } = run;
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const pending = [...items.keys()].filter(
    (child) => childOf(progress, child).outcome?.status !== 'SUCCEEDED',
  );
  let failure: string | undefined;
  const runPending = async () => {
    for (let child = pending.shift(); child !== undefined; child = pending.shift()) {
      if (signal.aborted) return;
      try {
        const output = await runStates(childRun(run, state, scope, child, items[child]!, signal));
        record({ op: 'end', child, outcome: { status: 'SUCCEEDED', output } });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof StateError)) throw error;
        failure = `item ${child} failed with ${error.errorName}: ${error.message}`;
        stop.abort(SIBLING_FAILED);
      }
    }
  };
  const concurrency = Math.min(state.MaxConcurrency || Number.POSITIVE_INFINITY, dependencies.concurrency);
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, runPending));
  return failure;
}

function childRun(
  run: StateRun,
  { ItemProcessor, ItemSelector }: MapState,
  scope: PathScope,
  child: number,
  item: Json,
  signal: AbortSignal,
): StateRun {
  const context = { ...run.context, Map: { Item: { Index: child, Value: item } } };
  return {
    ...run,
    machine: ItemProcessor,
    input: ItemSelector === undefined ? item : fillTemplate(ItemSelector, { ...scope, context }),
    context: {
      ...run.context,
      Execution: { ...(run.context.Execution as object), Name: `${run.progress.mapRun!.id}-${child}` },
    },
    progress: childOf(run.progress, child),
    record: (entry) => run.record({ ...entry, child }),
    signal,
  };
}
