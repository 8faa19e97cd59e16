/** What `smoke` measures of the real functions, and the findings about it. */
import { numberText } from '../../../batch/quantities.ts';
import { workersForMemory } from '../../../node/solvers.ts';
import { type Finding, ok, warn } from '../../terminal/finding.ts';
import { secondsText } from '../../terminal/time-text.ts';

export interface Measurements {
  readonly node: string;
  readonly arch: string;
  readonly memoryMb: number;
  readonly simd: boolean;
  readonly threads: number;
  /** Seconds from the first upload until the stack began it; undefined without an event. */
  readonly firstSeconds?: number;
  /** Whether that was the first invocation of its environment. */
  readonly coldStart: boolean;
  /** Time of the cold start by the log, in milliseconds. */
  readonly initMs?: number;
  readonly puzzles: number;
  readonly puzzlesPerSecond: number;
  /** Seconds of one function for these puzzles. */
  readonly functionSeconds: number;
  /** Where that is from. */
  readonly source: 'log' | 'statistics';
  /** Why the log was not read. */
  readonly noLog?: string;
  readonly estimatedSeconds: number;
}

/** The processors for which the stack pays. */
const ARCHITECTURE = 'arm64';
/** An estimate is rough, but not by more. */
const MAX_FACTOR = 2;

/** @param isLocal whether the functions run on this machine */
export function measurementFindings(measured: Measurements, isLocal: boolean): Finding[] {
  return [
    architectureFinding(measured, isLocal),
    simdFinding(measured),
    threadsFinding(measured),
    coldStartFinding(measured),
    ok(
      'rate',
      `${numberText(measured.puzzlesPerSecond)} puzzles per second, of ${numberText(measured.puzzles)}`,
    ),
    billedFinding(measured, isLocal),
  ];
}

function architectureFinding({ arch, node, memoryMb }: Measurements, isLocal: boolean): Finding {
  const found = `${arch}, Node ${node}, ${numberText(memoryMb)} MiB`;
  if (isLocal || arch === ARCHITECTURE) return ok('architecture', found);
  return warn(
    'architecture',
    found,
    `the stack is made for ${ARCHITECTURE}: deploy it again (npx cdk deploy)`,
  );
}

function simdFinding({ simd }: Measurements): Finding {
  if (simd) return ok('SIMD', 'WebAssembly has it');
  return warn(
    'SIMD',
    'WebAssembly lacks it, so puzzles take several times longer',
    'check the runtime of the functions',
  );
}

function threadsFinding({ threads, memoryMb }: Measurements): Finding {
  const expected = workersForMemory(memoryMb);
  const found = `${threads} for ${numberText(memoryMb)} MiB`;
  if (threads === expected) return ok('threads', found);
  return warn(
    'threads',
    `${found}, expected ${expected}`,
    'deploy this version of the program (npx cdk deploy)',
  );
}

function coldStartFinding({ coldStart, initMs, firstSeconds }: Measurements): Finding {
  const facts = [
    coldStart ? 'the first upload had one' : 'the first upload had none, as the function had run before',
    ...(initMs === undefined ? [] : [`initialised in ${secondsText(initMs / 1000)}`]),
    ...(firstSeconds === undefined ? [] : [`begun after ${secondsText(firstSeconds)}`]),
  ];
  return ok('cold start', facts.join(', '));
}

function billedFinding(measured: Measurements, isLocal: boolean): Finding {
  const { functionSeconds, source, noLog, estimatedSeconds, puzzles } = measured;
  const what = 'billed time';
  const by = source === 'log' ? 'billed' : 'by its statistics';
  const times = `${secondsText(functionSeconds)} ${by}, estimate ${secondsText(estimatedSeconds)}`;
  const found = `${times} for ${numberText(puzzles)} puzzles`;
  // All functions of a local stack share the processors of this machine.
  if (isLocal) return ok(what, found);
  if (functionSeconds > estimatedSeconds * MAX_FACTOR) {
    return warn(what, found, 'dlx-batch estimate is too low for this stack: reckon with this ratio');
  }
  if (noLog !== undefined) return warn(what, `${found}; ${noLog}`, LOG_ADVICE);
  return ok(what, found);
}

const LOG_ADVICE =
  'to compare what is billed, give --stack and credentials with logs:FilterLogEvents on the log of solve-batch';
