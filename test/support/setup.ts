/** In each worker, before its tests. */
import fc from 'fast-check';
import { propertyRuns, runSeed } from './depth.ts';

fc.configureGlobal({ seed: runSeed(), numRuns: propertyRuns(40) });
