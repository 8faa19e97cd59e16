/**
 * A distributed map: one child for each line of an object in S3, as many side by side as there are places.
 *
 * No failure is tolerated: the first child that fails for good ends the others. A child that was ended, or failed, goes
 * on from its state when the execution is redriven; one that succeeded does not run again. What became of each stands
 * in the files that the map writes, as Step Functions writes them, whether it ended well or not:
 *
 *     <prefix>/<id of the map run>/manifest.json, SUCCEEDED_0.json, FAILED_0.json, PENDING_0.json
 */
import type { MapState } from './definition.ts';
import { runStates, type StateRun } from './interpreter.ts';
import type { MapRun, Outcome } from './progress.ts';
import { fillTemplate, type Json, type PathScope } from './reference-path.ts';
import { StateError } from './state-error.ts';

/** A child's end, for those who stop it. */
const SIBLING_FAILED = Symbol('another child failed');

/**
 * Runs the children that have not succeeded yet.
 *
 * @returns where the results are; without a ResultWriter the outputs, in the order of the items
 * @throws StateError States.ItemReaderFailed, or States.ExceedToleratedFailureThreshold where a child failed
 */
export async function runMap(run: StateRun, state: MapState, scope: PathScope): Promise<Json> {
  const mapRun = run.track.mapRun!;
  const items = await readItems(run, state, scope);
  const failed = await runChildren(run, state, scope, items, mapRun);
  run.signal.throwIfAborted();
  const details = await writeResults(run, state, scope, items, mapRun);
  if (failed !== undefined) {
    const { index, error, cause } = failed;
    throw new StateError(
      'States.ExceedToleratedFailureThreshold',
      `The specified tolerated failure threshold was exceeded: item ${index} failed with ${error}: ${cause}`,
    );
  }
  return details ?? items.map((_, index) => outputOf(mapRun.child(index).outcome));
}

async function readItems(run: StateRun, state: MapState, scope: PathScope): Promise<Json[]> {
  const { Bucket, Key } = fillTemplate(state.ItemReader.Parameters, scope) as { Bucket: string; Key: string };
  const text = await run.surroundings.readText(Bucket, Key);
  if (text === undefined)
    throw new StateError('States.ItemReaderFailed', `There is no object ${Key} in ${Bucket}`);
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
async function runChildren(
  run: StateRun,
  state: MapState,
  scope: PathScope,
  items: readonly Json[],
  mapRun: MapRun,
): Promise<FailedChild | undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const waiting = [...items.keys()].filter((index) => mapRun.child(index).outcome?.status !== 'SUCCEEDED');
  let failed: FailedChild | undefined;
  const takePlace = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      if (signal.aborted) return;
      try {
        const output = await runChild(run, state, scope, items[index]!, index, mapRun, signal);
        mapRun.end(index, { status: 'SUCCEEDED', output });
      } catch (error) {
        if (signal.aborted || error === SIBLING_FAILED) return;
        if (!(error instanceof StateError)) throw error;
        failed = { index, error: error.error, cause: error.message };
        mapRun.end(index, { status: 'FAILED', error: error.error, cause: error.message });
        stop.abort(SIBLING_FAILED);
      }
    }
  };
  const places = Math.min(state.MaxConcurrency || Number.POSITIVE_INFINITY, run.surroundings.concurrency);
  await Promise.all(Array.from({ length: Math.min(places, items.length) }, takePlace));
  return failed;
}

function runChild(
  run: StateRun,
  state: MapState,
  scope: PathScope,
  item: Json,
  index: number,
  mapRun: MapRun,
  signal: AbortSignal,
): Promise<Json> {
  const context = { ...run.context, Map: { Item: { Index: index, Value: item } } };
  const input =
    state.ItemSelector === undefined ? item : fillTemplate(state.ItemSelector, { ...scope, context });
  return runStates({
    machine: state.ItemProcessor,
    input,
    context: {
      ...run.context,
      Execution: { ...(run.context.Execution as object), Name: `${mapRun.id}-${index}` },
    },
    track: mapRun.track(index),
    signal,
    surroundings: run.surroundings,
  });
}

/** @returns what a map with a ResultWriter gives; undefined without one */
async function writeResults(
  run: StateRun,
  state: MapState,
  scope: PathScope,
  items: readonly Json[],
  mapRun: MapRun,
): Promise<Json | undefined> {
  if (state.ResultWriter === undefined) return undefined;
  const { Bucket, Prefix } = fillTemplate(state.ResultWriter.Parameters, scope) as Record<
    'Bucket' | 'Prefix',
    string
  >;
  const folder = `${Prefix.replace(/\/$/, '')}/${mapRun.id}`;
  const resultFiles: Record<string, { Key: string; Size: number }[]> = {
    FAILED: [],
    PENDING: [],
    SUCCEEDED: [],
  };
  for (const status of ['FAILED', 'PENDING', 'SUCCEEDED']) {
    const rows = items.flatMap((item, index) => {
      const { outcome } = mapRun.child(index);
      return (outcome?.status ?? 'PENDING') === status ? [resultRow(mapRun, index, item, outcome)] : [];
    });
    if (rows.length === 0) continue;
    const text = JSON.stringify(rows);
    const Key = `${folder}/${status}_0.json`;
    await run.surroundings.writeText(Bucket, Key, text);
    resultFiles[status]!.push({ Key, Size: Buffer.byteLength(text) });
  }
  const manifest = { DestinationBucket: Bucket, MapRunArn: mapRun.id, ResultFiles: resultFiles };
  await run.surroundings.writeText(Bucket, `${folder}/manifest.json`, JSON.stringify(manifest));
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
