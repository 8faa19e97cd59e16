/** Dependencies of the functions that read puzzles: storage, time, threads. */
import type { Context } from 'aws-lambda';
import { s3Store } from '../lib/aws/s3-store.ts';
import { parseJobLimits } from '../lib/batch/job-limits.ts';
import type { LargeDependencies } from '../lib/batch/large/large-job.ts';
import { ENVIRONMENT } from '../lib/batch/names.ts';
import { prefixedStore } from '../lib/batch/storage/prefixed-store.ts';
import { requiredVariable } from '../lib/node/environment.ts';
import { openSolver, workersForMemory } from '../lib/node/solvers.ts';
import { runtimeInfo, systemClock, systemHashing, systemIds } from '../lib/node/system.ts';
import { zlibUnpacking } from '../lib/node/unpacking.ts';
import { createEngine } from '../lib/sudoku/engines.ts';

const s3 = s3Store();
let coldStart = true;

export function dependenciesFor(context: Context): LargeDependencies {
  const memoryMb = Number(context.memoryLimitInMB);
  const runtime = runtimeInfo(coldStart, memoryMb);
  coldStart = false;
  const resultsBucket = requiredVariable(ENVIRONMENT.resultsBucket);
  return {
    store: prefixedStore(s3, resultsBucket, process.env[ENVIRONMENT.resultsPrefix] ?? ''),
    resultsBucket,
    clock: systemClock,
    hashing: systemHashing,
    ids: systemIds,
    unpacking: zlibUnpacking,
    runtime,
    jobLimits: parseJobLimits(JSON.parse(process.env[ENVIRONMENT.jobLimits] ?? '{}')),
    openSolver(options, storedBytes) {
      const engine = createEngine(options.engine);
      return { engine, ...openSolver(workersForMemory(memoryMb), engine, storedBytes) };
    },
    remainingMs: () => context.getRemainingTimeInMillis(),
  };
}
