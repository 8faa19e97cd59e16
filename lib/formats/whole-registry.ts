/** The formats of whole files, in the order in which a file's first bytes are shown to them. */
import { csv } from './csv.ts';
import { json } from './json.ts';
import { opensudoku } from './opensudoku.ts';
import type { WholeFormat } from './whole-format.ts';

export const WHOLE_FORMATS: readonly WholeFormat[] = [json, opensudoku, csv];

export const WHOLE_FORMAT_NAMES = ['json', 'opensudoku', 'csv'] as const;
