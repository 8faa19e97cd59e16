/** The thread that runs a target. */
import { parentPort, workerData } from 'node:worker_threads';
import { readCorpus } from './corpus.ts';
import { type Finding, Fuzzer } from './fuzzer.ts';
import { loadTarget } from './targets.ts';

const { name, seed, seconds, minimise, shared } = workerData as {
  readonly name: string;
  readonly seed: number;
  readonly seconds: number;
  readonly minimise: boolean;
  readonly shared: SharedArrayBuffer;
};
const target = await loadTarget(name);
const [counts, bytes] = [new Int32Array(shared, 0, 2), new Uint8Array(shared, 8)];

/** Shows the input of an execution to the main thread, in case the execution hangs. */
function showInput(input: Buffer): void {
  bytes.set(input);
  counts[1] = input.length;
  counts[0]!++;
}

const onFinding = (finding: Finding) => parentPort!.postMessage({ finding });
const seeds = target.seeds().map((seed) => Buffer.from(seed));
const inputs = [...readCorpus(name, 'found'), ...readCorpus(name, 'corpus'), ...seeds];
const report = await new Fuzzer(target, seed, { onInput: showInput, onFinding }).run(inputs, seconds);
// Small inputs first: larger ones are kept only for what the small ones do not reach.
const smallFirst = report.corpus.toSorted((a, b) => a.length - b.length);
const { corpus } = minimise
  ? await new Fuzzer(target, seed, { onInput: showInput }).run(smallFirst, 0)
  : report;
parentPort!.postMessage({ report: { ...report, corpus } });
