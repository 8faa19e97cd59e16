#!/usr/bin/env node
/** The command-line tool: what it loads is compiled once, and kept. */
import { keepCompiled } from '../lib/node/compile-cache.ts';

keepCompiled();
const { runProgram } = await import('../lib/cli/program.ts');
await runProgram();
