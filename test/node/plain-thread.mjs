// A thread without WebAssembly, as on old machines: it posts the result files of all files.
import { parentPort } from 'node:worker_threads';
import { resultFiles } from '../support/run-job.ts';
import { sameFiles } from './same-files.ts';

// After the imports: Node itself needs it to load TypeScript.
Reflect.deleteProperty(globalThis, 'WebAssembly');
const results = [];
for (const { text, options } of sameFiles()) results.push(await resultFiles(text, options));
parentPort?.postMessage(results);
