/** Races of conditional writes, on which the commit depends. */
import { inParallel } from '../../../../batch/in-parallel.ts';
import { collectBytes } from '../../../../batch/job/input.ts';
import type { PutCondition, PutOutcome } from '../../../../batch/ports.ts';
import { JSON_TYPE } from '../../../../batch/results/content-types.ts';
import type { Finding } from '../../../terminal/finding.ts';
import { raceKey } from '../smoke-objects.ts';
import type { SmokeStack } from '../smoke-stack.ts';
import { type RaceFacts, racesFinding } from '../verdicts.ts';

const RACES = 4;
const WRITERS = 8;

/** Writers that write the same object at once, on the condition that it is absent, or that it is what they read. */
export async function checkRaces(stack: SmokeStack): Promise<Finding> {
  const races: RaceFacts[] = [];
  for (let race = 0; race < RACES; race++) {
    races.push(await raceOnce(stack, race, { ifAbsent: true }));
    const { store, resultsBucket } = stack.connection;
    const info = await store.head(resultsBucket, raceKey(stack.id, race));
    races.push(await raceOnce(stack, race, { ifMatch: info?.etag ?? '' }));
  }
  return racesFinding(races);
}

async function raceOnce(
  { connection, id }: SmokeStack,
  race: number,
  condition: PutCondition,
): Promise<RaceFacts> {
  const { store, resultsBucket } = connection;
  const key = raceKey(id, race);
  const bodyOf = (writer: number) =>
    new TextEncoder().encode(`${JSON.stringify({ ...condition, writer })}\n`);
  const writers = Array.from({ length: WRITERS }, (_, writer) => writer);
  const outcomes = await inParallel(writers, WRITERS, (writer): Promise<PutOutcome> => {
    return store.putIf(resultsBucket, key, bodyOf(writer), JSON_TYPE, condition);
  });
  const winners = outcomes.flatMap(({ written }, writer) => (written ? [writer] : []));
  const stored = await store.get(resultsBucket, key);
  const bytes = stored === undefined ? new Uint8Array(0) : await collectBytes(stored.body);
  const isWinners = winners.length === 1 && Buffer.compare(bytes, bodyOf(winners[0]!)) === 0;
  return { writers: WRITERS, winners: winners.length, isWinners };
}
