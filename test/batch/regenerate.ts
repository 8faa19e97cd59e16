/** Rewrites what follows the inputs of the catalogue of jobs, and names the cases that give something else than before. */
import { regenerateJobs } from './jobs.ts';

const changed = await regenerateJobs();
process.stdout.write(`changed: ${[changed.length, ...changed].join('\n  ')}\n`);
