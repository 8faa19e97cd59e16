/**
 * Builds the package: `npm run build`, which `npm pack` and `npm publish` run too. A checkout runs without it.
 *
 *     dist/cli/         the command, its worker thread, and the files that it reads
 *     dist/lib/         the library and the construct: ES modules, CommonJS and declarations
 *     dist/functions/   the code of the functions and the template: see functions/prebuilt.ts
 *     dist/LICENSES.txt the licences of the packages that are in these files
 *
 * Every package that the program needs is in these files, so an installation brings no other package.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand } from './build/command.ts';
import { buildDeclarations } from './build/declarations.ts';
import { buildFunctions } from './build/functions.ts';
import { buildLibrary } from './build/library.ts';
import { licencesOf } from './build/licences.ts';
import { shrinkSourceMaps } from './build/source-maps.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'dist');

rmSync(DIST, { recursive: true, force: true });
const inputs = await Promise.all([
  buildCommand(ROOT, join(DIST, 'cli')),
  buildLibrary(ROOT, join(DIST, 'lib')),
  buildFunctions(ROOT, join(DIST, 'functions')),
  buildDeclarations(ROOT, join(DIST, 'lib')),
]);
shrinkSourceMaps(DIST);
writeFileSync(join(DIST, 'LICENSES.txt'), licencesOf(ROOT, inputs.flat()));
