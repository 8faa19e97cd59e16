/** The hundred known puzzles: their event, and their result. */
import type { Manifest } from '../../../../batch/delivery/manifest.ts';
import { ChecksumError, fetchFile } from '../../../../batch/delivery/result-set.ts';
import { systemHashing } from '../../../../node/system.ts';
import type { Finding } from '../../../terminal/finding.ts';
import { knownPuzzles, type SmokeFile } from '../smoke-files.ts';
import { smokeSettings } from '../smoke-settings.ts';
import type { Received, Sent, SmokeStack } from '../smoke-stack.ts';
import { difference, memoryWriter, type SolvedHere, solveLike, untimedFiles } from '../solve-here.ts';
import { eventFinding, knownFinding } from '../verdicts.ts';
import { manifestOf } from './outcomes.ts';

/** Waits for the first upload to begin; without an event, sends it to the queue, and every later one. */
export async function checkEvent(
  stack: SmokeStack,
  sent: Sent,
): Promise<{ readonly finding: Finding; readonly seconds: number | undefined }> {
  const { eventSeconds } = smokeSettings;
  const begun = await stack.until(eventSeconds, async () => (await stack.status(sent)) && performance.now());
  if (begun === undefined) {
    stack.sendsMessages = true;
    await stack.send(sent);
  }
  const seconds = begun === undefined ? undefined : (begun - sent.sentMs) / 1000;
  return { finding: eventFinding(seconds, eventSeconds), seconds };
}

/** A solved upload, for the checks that need one. */
export interface Solved extends Received {
  readonly sent: Sent;
  readonly here: SolvedHere;
}

export const KNOWN_FILE: SmokeFile = knownPuzzles('known.txt');

export function uploadKnown(stack: SmokeStack): Promise<Sent> {
  return stack.upload(KNOWN_FILE);
}

export async function solveKnown(stack: SmokeStack, sent: Sent): Promise<Solved> {
  const received = await stack.outcome(sent);
  return { ...received, sent, here: await solveLike(KNOWN_FILE, received.outcome) };
}

export async function checkKnown(stack: SmokeStack, { here, outcome, seconds }: Solved): Promise<Finding> {
  const puzzles = here.kind === 'completed' ? here.stats.puzzles.total : 0;
  const found = difference(here, outcome) ?? (await damage(stack, manifestOf(outcome)));
  return knownFinding({ puzzles, difference: found, seconds });
}

/** Fetches the files, and compares the stored bytes with the manifest. @returns how they differ, as a sentence */
async function damage({ connection }: SmokeStack, { files }: Manifest): Promise<string | undefined> {
  const { store, resultsBucket, retries } = connection;
  const nowhere = () => memoryWriter(() => {});
  try {
    for (const file of untimedFiles(files)) {
      await retries.operation(() => fetchFile(store, resultsBucket, file, nowhere(), systemHashing));
    }
    return undefined;
  } catch (error) {
    if (error instanceof ChecksumError) return error.message;
    throw error;
  }
}
