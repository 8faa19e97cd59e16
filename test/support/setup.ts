/** In each worker, before its tests. */
import fc from 'fast-check';
import { runSeed } from './depth.ts';

fc.configureGlobal({ seed: runSeed() });
