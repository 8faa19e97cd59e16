/** The formats of whole files, in the order in which a file's first bytes are shown to them. */

import { json } from './json/json.ts';
import { csv } from './table/csv.ts';
import type { WholeFormat } from './whole-format.ts';
import { opensudoku } from './xml/opensudoku.ts';

export const WHOLE_FORMATS: readonly WholeFormat[] = [json, opensudoku, csv];

export const WHOLE_FORMAT_NAMES = ['json', 'opensudoku', 'csv'] as const;
