/** A message of a limit names only options that the named commands have, whichever command shows it. */

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FileRejection, plainBytes } from '../../lib/batch/job/input.ts';
import {
  DEFAULT_JOB_LIMITS,
  JobLimitError,
  jobLimitError,
  settingText,
  writtenError,
} from '../../lib/batch/job-limits.ts';
import { JOB_LIMIT_NAMES } from '../../lib/batch/limits.ts';
import { createProgram } from '../../lib/cli/program.ts';
import { WorkLimitError } from '../../lib/formats/work-meter.ts';
import { zlibUnpacking } from '../../lib/node/unpacking.ts';

const program = createProgram();

function commandsWith(option: string): string[] {
  const having = program.commands.filter(({ options }) => options.some(({ long }) => long === option));
  // local takes it as `--set NAME=VALUE`, and says so if it is given as an option.
  return [...having.map((command) => command.name()), 'local'].sort();
}

async function bombText(): Promise<string> {
  async function* stored() {
    yield gzipSync('\n'.repeat(100_000));
  }
  const limits = { maxBytes: 1000 };
  try {
    for await (const _ of plainBytes(stored(), zlibUnpacking, { storedBytes: 0, plainBytes: 0 }, {}, limits));
  } catch (error) {
    if (error instanceof FileRejection) return error.message;
    throw error;
  }
  throw new Error('it was unpacked');
}

const none = { nodes: 0, solutionBytes: 0, exceptionBytes: 0 };
const workText = (work: object) => jobLimitError({ ...none, ...work }, 1, DEFAULT_JOB_LIMITS)!.message;

const MESSAGES: readonly (readonly [name: string, message: () => string | Promise<string>])[] = [
  ...JOB_LIMIT_NAMES.map((name) => [name, () => settingText(name)] as const),
  ['unpacked bytes', bombText],
  ['exceptions', () => workText({ exceptionBytes: 1e15 })],
  ['results', () => workText({ solutionBytes: 1e15 })],
  ['search nodes', () => workText({ nodes: 1e18 })],
  ['solutions of a puzzle', () => writtenError(2, 'a puzzle').message],
  ['work of reading', () => new WorkLimitError(1, 1).message],
];

describe('the message of the limit', () => {
  it.each(MESSAGES)('%s names each option with the commands that have it', async (_name, message) => {
    const text = await message();
    const named = [...text.matchAll(/(--[a-z-]+)(?: of ([a-z]+(?:, [a-z]+)*(?: and [a-z]+)?))?/g)];
    expect(named.map(([, option, commands = '']) => [option, commands.split(/, | and /).sort()])).toEqual(
      named.map(([, option = '']) => [option, commandsWith(option)]),
    );
  });

  it.each([...JOB_LIMIT_NAMES])('%s names its option and its setting', (name) => {
    expect(settingText(name)).toMatch(new RegExp(`^--${name} of .*, or dlx:max`));
    expect(new JobLimitError(name, 'x').message).not.toContain('--');
  });
});
