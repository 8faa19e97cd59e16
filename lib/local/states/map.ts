/**
 * A distributed map: one child for each line of an object in S3, a bounded number of them at a time.
 *
 * No failure is tolerated: after the last try of a child fails, the other children stop. A redrive continues children
 * that failed or were stopped from their state; a child that succeeded does not run again. In either case the map
 * writes the outcome of each child to the same files as Step Functions:
 *
 *     <prefix>/<id of the map run>/manifest.json, SUCCEEDED_0.json, FAILED_0.json, PENDING_0.json
 */
import type { MapState } from './definition.ts';
import { checkAllowed, runStates, type StateRun } from './interpreter.ts';
import { fillTemplate, type Json, type PathScope, StateError } from './paths.ts';
import type { Outcome } from './progress.ts';

/** Abort reason of the children that stop because another one failed. */
const SIBLING_FAILED = Symbol('another child failed');

/**
 * Runs the children that have not succeeded yet.
 *
 * @returns location of the results
 * @throws StateError States.ItemReaderFailed, or States.ExceedToleratedFailureThreshold if a child failed
 */
export async function runMap(run: StateRun, state: MapState, scope: PathScope): Promise<Json> {
  // The children are executions of the same machine.
  const { Id } = run.context.StateMachine as { Id: string };
  checkAllowed(run, 'states:StartExecution', Id, 'States.Permissions');
  const items = await readItems(run, state, scope);
  const failed = await runChildren(run, state, scope, items);
  run.signal.throwIfAborted();
  const details = await writeResults(run, state, scope, items);
  if (failed === undefined) return details;
  throw new StateError(
    'States.ExceedToleratedFailureThreshold',
    `The specified tolerated failure threshold was exceeded: ${failed}`,
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
  const { progress, dependencies } = run;
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const pending = [...items.keys()].filter((child) => progress.child(child).outcome?.status !== 'SUCCEEDED');
  let failed: string | undefined;
  const runPending = async () => {
    for (let child = pending.shift(); child !== undefined; child = pending.shift()) {
      if (signal.aborted) return;
      let outcome: Outcome;
      try {
        const output = await runStates(childRun(run, state, scope, child, items[child]!, signal));
        outcome = { status: 'SUCCEEDED', output };
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof StateError)) throw error;
        outcome = { status: 'FAILED', error: error.errorName, cause: error.message };
        failed = `item ${child} failed with ${error.errorName}: ${error.message}`;
      }
      progress.record({ op: 'end', child, outcome });
      if (outcome.status === 'FAILED') stop.abort(SIBLING_FAILED);
    }
  };
  const concurrency = Math.min(state.MaxConcurrency || Number.POSITIVE_INFINITY, dependencies.concurrency);
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, runPending));
  return failed;
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
    child,
    signal,
  };
}

/** @returns the result of the map */
async function writeResults(
  run: StateRun,
  { ResultWriter }: MapState,
  scope: PathScope,
  items: readonly Json[],
): Promise<Json> {
  const { writeText } = run.dependencies;
  const { id } = run.progress.mapRun!;
  const { Bucket, Prefix } = fillTemplate(ResultWriter.Parameters, scope) as Record<string, Json>;
  if (typeof Bucket !== 'string' || typeof Prefix !== 'string') {
    const message = `The ResultWriter needs a string as Prefix: found ${JSON.stringify(Prefix)}`;
    throw new StateError('States.ResultWriterFailed', message);
  }
  const folder = `${Prefix.replace(/\/$/, '')}/${id}`;
  checkAllowed(run, 's3:PutObject', `arn:aws:s3:::${Bucket}/${folder}/`, 'States.ResultWriterFailed');
  const ResultFiles: Record<string, { Key: string; Size: number }[]> = {
    FAILED: [],
    PENDING: [],
    SUCCEEDED: [],
  };
  for (const [status, files] of Object.entries(ResultFiles)) {
    const rows = items.flatMap((item, child) => {
      const { outcome } = run.progress.child(child);
      const found = outcome?.status ?? 'PENDING';
      if (found !== status) return [];
      const result =
        outcome?.status === 'SUCCEEDED'
          ? { Output: JSON.stringify(outcome.output) }
          : { Error: outcome?.error, Cause: outcome?.cause };
      return [{ Name: `${id}-${child}`, Input: JSON.stringify(item), Status: found, ...result }];
    });
    if (rows.length === 0) continue;
    const text = JSON.stringify(rows);
    const Key = `${folder}/${status}_0.json`;
    await writeText(Bucket, Key, text);
    files.push({ Key, Size: Buffer.byteLength(text) });
  }
  const Key = `${folder}/manifest.json`;
  await writeText(Bucket, Key, JSON.stringify({ DestinationBucket: Bucket, MapRunArn: id, ResultFiles }));
  return { MapRunArn: id, ResultWriterDetails: { Bucket, Key } };
}
