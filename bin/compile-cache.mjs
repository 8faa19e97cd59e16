// Caches what Node compiles. Without a cache, Node strips the types of every module of a checkout and compiles it at each
// start: 0.4 s of processor time for the command-line tool, a third of a second for a thread. With the cache a command starts
// in a third of the time, and that of the package, which is one file, in two thirds. This file is plain JavaScript and is
// imported first, so that Node does not load the type stripper, which takes 50 ms.
//
// The cache is in node_modules of the checkout or package, where only accounts that can also change the sources can write. A
// read-only folder means no cache. `NODE_COMPILE_CACHE` sets another folder, `NODE_DISABLE_COMPILE_CACHE=1` disables the cache.
import * as module from 'node:module';
import { join } from 'node:path';

// Threads and child processes read the environment too. Older Node versions, rejected in preflight.mjs, have no cache.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/dlx-batch');
module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
