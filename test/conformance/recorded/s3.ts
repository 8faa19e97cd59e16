/**
 * Answers that other projects recorded from S3: `s3.jsonl` has the requests of each of their tests, and what
 * AWS answered. They are facts of LocalStack's validated snapshots (tests/aws/services/s3, 23 March 2026); `of` is the
 * file of the test there. Left out are tests of operations and parameters that this program does not have.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Target } from '../target.ts';
import { type Bindings, differences } from './differences.ts';
import { RecordedRequests } from './s3-answers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A request, what AWS answered, if that was recorded, and why the embedded server answers otherwise. */
type RecordedStep = readonly [operation: string, input: Fields, answer?: Fields, differs?: Difference];

interface RecordedTest {
  readonly test: string;
  readonly of: string;
  readonly steps: readonly RecordedStep[];
}

/** Where the embedded server differs on purpose, and in which fields. */
const DIFFERENCES = {
  // S3 gives each object of an upload in parts a checksum. It would cost 8 ms per MiB, and nothing here reads it.
  checksums: /Checksum/,
  // All unfinished uploads are on one page.
  uploads: /Checksum|Marker|MaxUploads/,
  // A checksum of another form is one that does not match, and ranges of copies have one error.
  errors: /Error/,
} as const;
type Difference = keyof typeof DIFFERENCES;

const ROWS: readonly RecordedTest[] = readFileSync(new URL('s3.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

const IS_EMBEDDED = process.env.S3_ENDPOINT === undefined;

/** Recorded answers, and those with which the embedded server agrees. */
export const RECORDED_S3 = {
  answers: count((step) => step.length > 2),
  agreed: count((step) => step.length === 3),
};

function count(matches: (step: RecordedStep) => boolean): number {
  return ROWS.flatMap(({ steps }) => steps).filter(matches).length;
}

export function recordedSuite(target: () => Target): void {
  test.each(ROWS)('$of $test', async ({ steps }) => {
    const requests = new RecordedRequests(target());
    const bindings: Bindings = new Map();
    for (const [index, [operation, input, recorded, reason]] of steps.entries()) {
      const { Body, ...answer } = await requests.send(operation, input);
      if (recorded === undefined) continue;
      const found = 'Body' in recorded ? { ...answer, Body } : answer;
      const { Code, Message } = (recorded.Error ?? {}) as Fields;
      // What is not implemented is named here.
      const text = Code === 'NotImplemented' ? '<message>' : Message;
      const expected =
        recorded.Error === undefined ? recorded : { ...recorded, Error: { Code, Message: text } };
      const lines = differences({ $status: 200, ...expected }, found, bindings);
      const allowed = reason !== undefined && IS_EMBEDDED ? DIFFERENCES[reason] : undefined;
      const others = lines.filter((line) => allowed?.test(line) !== true);
      expect(others, `answer ${index}, ${operation}`).toEqual([]);
      if (allowed !== undefined) expect(lines, `answer ${index} no longer differs`).not.toEqual([]);
    }
  });
}
