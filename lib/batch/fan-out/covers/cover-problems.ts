/** Reads the problems of a large exact-cover file. */
import type { CoverRecord } from '../../../formats/exact-cover/cover-record.ts';
import { formatHints } from '../../job/format-hints.ts';
import { RecordSource } from '../../job/record-source.ts';
import { optionsFromCanonical } from '../../options.ts';
import type { Clock, ObjectStore, Unpacking } from '../../ports.ts';
import { openSource } from '../../storage/object-source.ts';
import type { CoverPlan } from '../shard-plan.ts';

export interface CoverReading {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly unpacking: Unpacking;
}

/** Opens the text of the file. */
export async function openCoverText(
  { source }: CoverPlan,
  { store }: Pick<CoverReading, 'store'>,
): Promise<AsyncIterable<Uint8Array>> {
  return (await openSource(store, source, 0, source.bytes)).body;
}

/** The problems from an index on, from 1. */
export async function* coverProblems(
  plan: CoverPlan,
  from: number,
  reading: CoverReading,
): AsyncGenerator<CoverRecord, void, void> {
  const hints = { ...formatHints(optionsFromCanonical(plan.options)), fileName: plan.input.key };
  const text = await openCoverText(plan, reading);
  const source = new RecordSource(text, hints, reading.unpacking, reading.clock);
  try {
    await source.detect();
    let index = 1;
    for await (const record of source.covers(plan.detection)) if (index++ >= from) yield record;
  } finally {
    await source.close();
  }
}
