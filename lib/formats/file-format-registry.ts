/** File formats, in the order in which detection tries them. */

import type { FileFormat } from './file-format.ts';
import { json } from './json/json.ts';
import { csv } from './table/csv.ts';
import { opensudoku } from './xml/opensudoku.ts';

export const FILE_FORMATS: readonly FileFormat[] = [json, opensudoku, csv];
