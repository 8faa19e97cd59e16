// A thread without WebAssembly, as on old machines: it posts what it finds of each case of the catalogue of jobs.
import { parentPort } from 'node:worker_threads';
import { jobCatalogue, runCase } from '../batch/jobs.ts';

// After the imports: Node itself needs it to load TypeScript.
Reflect.deleteProperty(globalThis, 'WebAssembly');
const results = [];
for (const each of Object.values(jobCatalogue()).flat()) {
  results.push(each.settings['except without WebAssembly'] === undefined ? await runCase(each) : undefined);
}
parentPort?.postMessage(results);
