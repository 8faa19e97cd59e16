/** Small functions to run in the host, written to a temporary folder, and hosts that close after their test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { FunctionHost, type FunctionHostOptions } from '../../lib/local/functions/function-host.ts';
import type { InvocationResult } from '../../lib/local/functions/invocation-result.ts';
import type { FunctionConfiguration } from '../../lib/local/functions/lambda-environment.ts';

/** Registers a clean-up: `onTestFinished` in a test, `afterAll` for a fixture that several tests share. */
export type AtEnd = (cleanUp: () => void | Promise<void>) => void;

/** A folder that is removed when the test ends. */
export function temporaryFolder(atEnd: AtEnd = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'dlx-batch-test-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A timeout that no test reaches: the tests' own limit is shorter. */
export const NEVER_MS = 600_000;

/** Configuration of a function with this source. */
export function fixtureFunction(
  source: string,
  changes: Partial<FunctionConfiguration> = {},
  atEnd: AtEnd = onTestFinished,
): FunctionConfiguration {
  const codeDir = temporaryFolder(atEnd);
  writeFileSync(join(codeDir, 'fixture.mjs'), source);
  return {
    name: 'fixture',
    codeDir,
    handler: 'fixture.handler',
    memoryMb: 512,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIDLOCAL', secretAccessKey: 'not-a-secret' },
    environment: {},
    ...changes,
  };
}

/** A host for a function with this source; closed when the test ends. */
export function fixtureHost(
  source: string,
  options: Partial<FunctionHostOptions> = {},
  changes: Partial<FunctionConfiguration> = {},
  atEnd: AtEnd = onTestFinished,
): FunctionHost {
  const configuration = fixtureFunction(source, changes, atEnd);
  const host = new FunctionHost({ configuration, timeoutMs: NEVER_MS, concurrency: 1, ...options });
  atEnd(() => host.close());
  return host;
}

/** The handler's result. @throws Error if the invocation failed */
export function payloadOf(result: InvocationResult): unknown {
  if (!result.ok) throw new Error(`Expected a payload, found ${JSON.stringify(result.error)}`);
  return result.payload;
}

/** The error of a failed invocation. @throws Error if it succeeded */
export function errorOf(result: InvocationResult): { errorType: string; errorMessage: string } {
  if (result.ok) throw new Error(`Expected an error, found ${JSON.stringify(result.payload)}`);
  return result.error;
}
