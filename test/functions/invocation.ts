/** Invocations of a function: its context, the event of a large job, and what it writes into the log. */
import type { Context } from 'aws-lambda';
import { vi } from 'vitest';
import type { LargeJob } from '../../lib/batch/large/steps.ts';
import { canonicalOptions } from '../../lib/batch/options.ts';
import { INPUT_BUCKET, optionsFrom } from '../support/dependencies.ts';
import type { EmbeddedS3 } from '../support/embedded-s3.ts';

export const CONTEXT = {
  functionName: 'f',
  memoryLimitInMB: '1769',
  awsRequestId: '8476a536-e9f4-11e8-9739-2dfe598c3fcd',
  getRemainingTimeInMillis: () => 900_000,
} as unknown as Context;

export async function uploadJob(s3: EmbeddedS3, key: string, text: string): Promise<LargeJob> {
  const event = JSON.parse(await s3.upload(key, text));
  const versionId: string = event.detail.object['version-id'];
  return { bucket: INPUT_BUCKET, key, versionId, options: canonicalOptions(optionsFrom()) };
}

export type LogLine = Readonly<Record<string, unknown>>;

/** @returns what `work` returns, the lines that it logs, and those of them that are metrics */
export async function logged<Result>(work: () => Promise<Result>) {
  let text = '';
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      text += chunk;
      return true;
    }),
  );
  try {
    const result = await work();
    const lines: LogLine[] = text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    return { result, lines, metrics: lines.filter((line) => '_aws' in line) };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
