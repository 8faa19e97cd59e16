/** Runs states with scripted functions, a clock without real waiting, and files in memory. */
import type { InvocationResult } from '../../../lib/local/functions/invocation-result.ts';
import { loadDefinition } from '../../../lib/local/states/definition.ts';
import { runStates, type StateDependencies } from '../../../lib/local/states/interpreter.ts';
import type { Json } from '../../../lib/local/states/paths.ts';
import { applyProgress, type Progress, type ProgressEntry } from '../../../lib/local/states/progress.ts';

/** A scripted function: returns, throws an Error with a name, or, if it returns null, never answers. */
export type Script = (payload: Json, call: number) => unknown;

export interface ScriptedRun {
  readonly run: (input: Json) => Promise<Json>;
  /** Payloads, in the order of the calls. */
  readonly calls: Json[];
  /** Delays waited, in milliseconds. */
  readonly waits: number[];
  readonly files: Map<string, string>;
  readonly entries: ProgressEntry[];
  readonly progress: Progress;
}

/** An error as functions throw it. */
export function errorNamed(name: string, message = 'failed'): Error {
  const error = new Error(message);
  error.name = name;
  return error;
}

/** A run of a definition. */
export function scripted(
  states: Record<string, object>,
  script: Script = () => ({}),
  {
    concurrency = 1,
    isAllowed = (_action: string, _resource: string): boolean => true,
    random = (): number => 1,
    earlier = [] as readonly ProgressEntry[],
    /** Further fields of the context object. */
    execution = {} as Record<string, Json>,
  } = {},
): ScriptedRun {
  const machine = loadDefinition(JSON.stringify({ StartAt: Object.keys(states)[0], States: states }));
  const calls: Json[] = [];
  const waits: number[] = [];
  const files = new Map<string, string>();
  const entries: ProgressEntry[] = [...earlier];
  const progress: Progress = {};
  for (const entry of earlier) applyProgress(progress, entry);
  const record = (entry: ProgressEntry) => {
    entries.push(entry);
    applyProgress(progress, entry);
  };
  const dependencies: StateDependencies = {
    invoke: async (_arn, payload) => {
      calls.push(payload);
      return answerOf(script, payload, calls.length);
    },
    readText: async (bucket, key) => files.get(`${bucket}/${key}`),
    clock: {
      nowEpochMs: () => Date.UTC(2026, 0, 1),
      after(delayMs, run) {
        let cancelled = false;
        // Microtasks run first: a function that answers does so before any timeout.
        setImmediate(() => {
          if (cancelled) return;
          waits.push(delayMs);
          run();
        });
        return () => {
          cancelled = true;
        };
      },
    },
    random,
    newId: () => 'run',
    concurrency,
  };
  const { signal } = new AbortController();
  const context = { Execution: { Name: 'x', ...execution }, StateMachine: { Id: 'arn:machine' } };
  const run = (input: Json) =>
    runStates({ machine, input, context, progress, record, signal, dependencies, isAllowed });
  return { run, calls, waits, files, entries, progress };
}

async function answerOf(script: Script, payload: Json, call: number): Promise<InvocationResult> {
  const facts = { requestId: 'r' };
  try {
    const answer = await script(payload, call);
    return answer === null ? new Promise(() => {}) : { ...facts, ok: true, payload: answer };
  } catch (error) {
    const { name, message } = error as Error;
    return { ...facts, ok: false, error: { errorType: name, errorMessage: message } };
  }
}

/** Reads the items of a map from the object `$.key`. */
export const ITEM_READER = {
  Resource: 'arn:aws:states:::s3:getObject',
  ReaderConfig: { InputType: 'JSONL' },
  Parameters: { Bucket: 'b', 'Key.$': '$.key' },
};

/** A task that passes its input to a function. */
export function task(further: object = {}): object {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: { FunctionName: 'f', Payload: { 'in.$': '$' } },
    ...further,
  };
}
