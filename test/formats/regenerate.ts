/** Rewrites what follows the inputs of the catalogue, and names the cases that read otherwise than before. */
import { regenerateCatalogue } from './catalogue.ts';

const changed = regenerateCatalogue();
process.stdout.write(`changed: ${[changed.length, ...changed].join('\n  ')}\n`);
