// Sources as Node runs them, kept from one process to the next. Node strips the types of every module and compiles it, at
// each start: 0.4 s of processor time for the command-line tool, and a third of a second for a thread. Kept, a command
// starts in a third of the time. This is plain JavaScript and comes before everything else: what strips types, itself 50 ms to
// load, is not loaded at all then.
//
// What is kept lies beside the dependencies, where only those can write who could change the sources as well; where
// nothing can be written, nothing is kept. `NODE_COMPILE_CACHE` names another folder, `NODE_DISABLE_COMPILE_CACHE=1` does
// without.
import * as module from 'node:module';
import { join } from 'node:path';

// In the environment, threads and child processes find it too. Older Nodes, which are told off elsewhere, have no cache.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/dlx-batch');
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
