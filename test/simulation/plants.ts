/**
 * Defects that the simulation must find: each is a change of one source text, made while the module is loaded. Nothing
 * on disk changes.
 */

export interface Plant {
  /** Path of the source from the project's root. */
  readonly path: string;
  /** Text that occurs once in the source. */
  readonly text: string;
  readonly replacement: string;
  /**
   * A seed that has found it, from which the search starts: another change may make another world of the seed. Undefined if
   * the ways in which work stops find it (`--stops`).
   */
  readonly seed?: number;
}

export const PLANTS: Readonly<Record<string, Plant>> = {
  /** A reject ends without a second look, which would find a commit or the files of a running attempt. */
  'second-look': {
    path: 'lib/batch/delivery/commit.ts',
    text: 'const after = await finishCommitted(job, storage);',
    replacement: 'if (before === undefined) return undefined;\n  const after = before;',
    seed: 1,
  },
  /** The manifest is written without a condition. */
  'conditional-write': {
    path: 'lib/aws/s3-store.ts',
    text: "{ IfNoneMatch: '*' }",
    replacement: '{}',
    seed: 5,
  },
  /** The files of other attempts stay after a commit. */
  'other-attempts': {
    path: 'lib/batch/delivery/commit.ts',
    text: '&& !key.startsWith(kept)',
    replacement: '&& false',
    seed: 41,
  },
  /** A delivery that finds a manifest does not repeat the writes that follow a commit. */
  'early-acknowledgement': {
    path: 'lib/batch/delivery/commit.ts',
    text: 'if (manifest !== undefined) await finishCommit(job, manifest, storage);\n  return manifest;',
    replacement: 'return manifest;',
    seed: 3,
  },
  /** Each large file has its own functions, so that several together cost more than the settings say. */
  'unbounded-shards': {
    path: 'lib/local/functions/functions.ts',
    text: 'Math.min(concurrency, ReservedConcurrentExecutions ?? concurrency)',
    replacement: 'concurrency',
    seed: 20,
  },
  /** Dead letters stay after a retry, and raise an alarm for what is solved. */
  'letters-stay': {
    path: 'lib/batch/bulk-run/report/report-run.ts',
    text: 'await dependencies.deadLetters.moveBack();',
    replacement: '{}',
    seed: 23,
  },
  /** An event that the bus does not accept is forgotten. */
  'lost-outcome': {
    path: 'lib/batch/delivery/outcome-events.ts',
    text: 'throw new EventNotSentError(type, about, cause);',
    replacement: 'return;',
    seed: 23,
  },
  /** A large job that fails is not counted, so that no alarm is raised. */
  'silent-failure': {
    path: 'functions/solve-batch.ts',
    text: '\n    metrics.addMetric(METRICS.jobsFailing, MetricUnit.Count, 1);',
    replacement: '',
  },
};

/** The source with the defect. @throws Error if it does not have the text exactly once */
export function planted({ path, text, replacement }: Omit<Plant, 'seed'>, source: string): string {
  const parts = source.split(text);
  if (parts.length !== 2)
    throw new Error(`${path} has the text of the plant ${parts.length - 1} times: ${text}`);
  return parts.join(replacement);
}
