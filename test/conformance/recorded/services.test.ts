/**
 * Answers of SQS, Step Functions, Lambda's event source mapping, S3's events and EventBridge Scheduler that LocalStack
 * recorded from AWS (validated snapshots of 23 March 2026, below tests/aws/services): `services.jsonl` has the rows that
 * repeat each test, and the answer to the last one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../local/fixture-function.ts';
import { Services } from '../services.ts';
import { differences } from './differences.ts';

const ROWS: readonly { readonly test: string; readonly rows: readonly string[]; readonly answer: unknown }[] =
  readFileSync(new URL('services.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('services answer as recorded from AWS', async () => {
  const folder = temporaryFolder();
  for (const [index, { test: name, rows, answer }] of ROWS.entries()) {
    const services = await Services.start(join(folder, String(index)));
    let last = '';
    for (const row of rows) last = await services.row(row);
    await services.close();
    expect(differences(answer, JSON.parse(last), new Map()), name).toEqual([]);
  }
});
