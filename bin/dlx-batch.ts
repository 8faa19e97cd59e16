/** The command-line tool: the commands of lib/cli. */
import './compile-cache.mjs';

const { runProgram } = await import('../lib/cli/program.ts');
await runProgram();
