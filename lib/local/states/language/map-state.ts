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
import { checkAllowed } from './permission.ts';
import type { MapRun, Outcome } from './progress.ts';
import { fillTemplate, type Json, type PathScope } from './reference-path.ts';
import { StateError } from './state-error.ts';
import type { RunStates, StateRun } from './state-run.ts';

/** Abort reason of the children that stop because another one failed. */
const SIBLING_FAILED = Symbol('another child failed');

interface MapVisit {
  readonly run: StateRun;
  readonly state: MapState;
  readonly scope: PathScope;
  readonly mapRun: MapRun;
  readonly items: readonly Json[];
}

/**
 * Runs the children that have not succeeded yet.
 *
 * @param runStates runs the states of one child
 * @returns location of the results; without a ResultWriter the outputs, in the order of the items
 * @throws StateError States.ItemReaderFailed, or States.ExceedToleratedFailureThreshold if a child failed
 */
export async function runMap(
  run: StateRun,
  state: MapState,
  scope: PathScope,
  runStates: RunStates,
): Promise<Json> {
  const mapRun = run.progress.mapRun!;
  // The children are executions of the same machine.
  const { Id } = run.context.StateMachine as { Id: string };
  checkAllowed(run, 'states:StartExecution', Id, 'States.Permissions');
  const visit: MapVisit = { run, state, scope, mapRun, items: await readItems(run, state, scope) };
  const failed = await runChildren(visit, runStates);
  run.signal.throwIfAborted();
  const details = await writeResults(visit);
  if (failed !== undefined) {
    const { index, error, cause } = failed;
    throw new StateError(
      'States.ExceedToleratedFailureThreshold',
      `The specified tolerated failure threshold was exceeded: item ${index} failed with ${error}: ${cause}`,
    );
  }
  return details ?? visit.items.map((_, index) => outputOf(mapRun.child(index).outcome));
}

async function readItems(run: StateRun, state: MapState, scope: PathScope): Promise<Json[]> {
  const { Bucket, Key } = fillTemplate(state.ItemReader.Parameters, scope) as { Bucket: string; Key: string };
  checkAllowed(run, 's3:GetObject', `arn:aws:s3:::${Bucket}/${Key}`, 'States.ItemReaderFailed');
  const text = await run.dependencies.readText(Bucket, Key);
  if (text === undefined)
    throw new StateError('States.ItemReaderFailed', `Object ${Key} does not exist in bucket ${Bucket}`);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Json;
    } catch {
      throw new StateError(
        'States.ItemReaderFailed',
        `Line ${index + 1} of ${Key} is not JSON: ${line.slice(0, 80)}`,
      );
    }
  });
}

interface FailedChild {
  readonly index: number;
  readonly error: string;
  readonly cause: string;
}

/** @returns the child that failed, if one did */
async function runChildren(visit: MapVisit, runStates: RunStates): Promise<FailedChild | undefined> {
  const { run, state, items, mapRun } = visit;
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const pending = [...items.keys()].filter((index) => mapRun.child(index).outcome?.status !== 'SUCCEEDED');
  let failed: FailedChild | undefined;
  const runPending = async () => {
    for (let index = pending.shift(); index !== undefined; index = pending.shift()) {
      if (signal.aborted) return;
      try {
        const output = await runStates(childRun(visit, index, signal));
        mapRun.end(index, { status: 'SUCCEEDED', output });
      } catch (error) {
        if (signal.aborted || error === SIBLING_FAILED) return;
        if (!(error instanceof StateError)) throw error;
        failed = { index, error: error.errorName, cause: error.message };
        mapRun.end(index, { status: 'FAILED', error: error.errorName, cause: error.message });
        stop.abort(SIBLING_FAILED);
      }
    }
  };
  const concurrency = Math.min(
    state.MaxConcurrency || Number.POSITIVE_INFINITY,
    run.dependencies.concurrency,
    items.length,
  );
  await Promise.all(Array.from({ length: concurrency }, runPending));
  return failed;
}

function childRun(
  { run, state, scope, mapRun, items }: MapVisit,
  index: number,
  signal: AbortSignal,
): StateRun {
  const item = items[index]!;
  const itemContext = { ...run.context, Map: { Item: { Index: index, Value: item } } };
  return {
    machine: state.ItemProcessor,
    input:
      state.ItemSelector === undefined
        ? item
        : fillTemplate(state.ItemSelector, { ...scope, context: itemContext }),
    context: {
      ...run.context,
      Execution: { ...(run.context.Execution as object), Name: `${mapRun.id}-${index}` },
    },
    progress: mapRun.childProgress(index),
    signal,
    dependencies: run.dependencies,
    isAllowed: run.isAllowed,
  };
}

/** @returns the result of a map with a ResultWriter; undefined without one */
async function writeResults({ run, state, scope, mapRun, items }: MapVisit): Promise<Json | undefined> {
  if (state.ResultWriter === undefined) return undefined;
  const { Bucket, Prefix } = fillTemplate(state.ResultWriter.Parameters, scope) as Record<string, Json>;
  if (typeof Bucket !== 'string' || typeof Prefix !== 'string') {
    const found = JSON.stringify({ Bucket, Prefix });
    throw new StateError(
      'States.ResultWriterFailed',
      `The ResultWriter needs strings as Bucket and Prefix: found ${found}`,
    );
  }
  const folder = `${Prefix.replace(/\/$/, '')}/${mapRun.id}`;
  checkAllowed(run, 's3:PutObject', `arn:aws:s3:::${Bucket}/${folder}/`, 'States.ResultWriterFailed');
  const resultFiles: Record<string, { Key: string; Size: number }[]> = {
    FAILED: [],
    PENDING: [],
    SUCCEEDED: [],
  };
  for (const [status, files] of Object.entries(resultFiles)) {
    const rows = items.flatMap((item, index) => {
      const { outcome } = mapRun.child(index);
      return (outcome?.status ?? 'PENDING') === status ? [resultRow(mapRun, index, item, outcome)] : [];
    });
    if (rows.length === 0) continue;
    const text = JSON.stringify(rows);
    const Key = `${folder}/${status}_0.json`;
    await run.dependencies.writeText(Bucket, Key, text);
    files.push({ Key, Size: Buffer.byteLength(text) });
  }
  const manifest = { DestinationBucket: Bucket, MapRunArn: mapRun.id, ResultFiles: resultFiles };
  await run.dependencies.writeText(Bucket, `${folder}/manifest.json`, JSON.stringify(manifest));
  return { MapRunArn: mapRun.id, ResultWriterDetails: { Bucket, Key: `${folder}/manifest.json` } };
}

function resultRow(mapRun: MapRun, index: number, item: Json, outcome: Outcome | undefined): object {
  const row = { Name: `${mapRun.id}-${index}`, Input: JSON.stringify(item) };
  if (outcome === undefined) return { ...row, Status: 'PENDING' };
  return outcome.status === 'SUCCEEDED'
    ? { ...row, Status: outcome.status, Output: JSON.stringify(outcome.output) }
    : { ...row, Status: outcome.status, Error: outcome.error, Cause: outcome.cause };
}

function outputOf(outcome: Outcome | undefined): Json {
  return outcome?.status === 'SUCCEEDED' ? outcome.output : null;
}
