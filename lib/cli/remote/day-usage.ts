/** The ceilings of a day in words: what is used of each, and what a file would add. */
import type { OptionTexts } from '../../batch/options.ts';
import { type Usage, type UsageCeiling, usageText } from '../../batch/usage/usage-ceilings.ts';
import { type DayUsage, readUsage, usageDay } from '../../batch/usage/usage-ledger.ts';
import { runningStackAt } from '../../local/running-stack.ts';
import { type Connection, stackOutput, withConnection } from './connection.ts';
import type { ConnectionFlags } from './connection-flags.ts';

/** The ceilings of a stack, as texts, and what is used today. */
export interface StackUsage {
  readonly ceilings: OptionTexts;
  readonly used: DayUsage;
}

/** Reads both from a stack, or from a local stack of this user. */
export function readStackUsage(flags: ConnectionFlags): Promise<StackUsage> {
  return withConnection(flags, 'reading the usage of the day', async (connection) => ({
    ceilings: await stackCeilings(connection, flags),
    used: await usageToday(connection),
  }));
}

async function stackCeilings({ retries }: Connection, flags: ConnectionFlags): Promise<OptionTexts> {
  if (flags.endpoint !== undefined) return runningStackAt(flags.endpoint)?.ceilings ?? {};
  return JSON.parse(await stackOutput(flags, 'DayCeilings', retries));
}

export function usageToday({
  store,
  resultsBucket,
}: Pick<Connection, 'store' | 'resultsBucket'>): Promise<DayUsage> {
  return readUsage(store, resultsBucket, usageDay(new Date().toISOString()));
}

/** A ceiling, and what a file would add to what is used. */
export interface CeilingUse extends UsageCeiling {
  /** Omitted if no stack was read. */
  readonly used?: number;
  /** The file's own. */
  readonly file: number;
  readonly isExceeded: boolean;
}

/** @param folder of the file, see `usageFolder` */
export function ceilingUses(
  ceilings: readonly UsageCeiling[],
  file: Usage,
  folder: string,
  today?: DayUsage,
): CeilingUse[] {
  return ceilings.map((ceiling) => {
    const { scope, measure, max } = ceiling;
    const inScope = scope === 'day' ? today?.total : today?.folders.get(folder);
    const used = today && (inScope?.[measure] ?? 0);
    return { ...ceiling, used, file: file[measure], isExceeded: (used ?? 0) + file[measure] > max };
  });
}

/** `max-day-dollars: 0.48 dollars of 250 dollars, 1.2 dollars used today`. */
export function ceilingUseText({ name, measure, max, used, file, isExceeded }: CeilingUse): string {
  const today = used === undefined ? '' : `, ${usageText(used, measure)} used today`;
  const excess = isExceeded ? ': the file would be rejected' : '';
  return `${name}: ${usageText(file, measure)} of ${usageText(max, measure)} a day${today}${excess}`;
}

/** What is used today of each ceiling; of ceilings of a folder, in the folder that has used most. */
export function usedText(ceilings: readonly UsageCeiling[], { total, folders }: DayUsage): string {
  const texts = ceilings.map(({ scope, measure, max }) => {
    const ofMax = (usage: Usage) => `${usageText(usage[measure], measure)} of ${usageText(max, measure)}`;
    if (scope === 'day') return ofMax(total);
    const [most] = [...folders].sort(([, a], [, b]) => b[measure] - a[measure]);
    return most === undefined
      ? `up to ${usageText(max, measure)} in each folder`
      : `${ofMax(most[1])} in ${most[0]}`;
  });
  return `Used today in UTC: ${texts.join('; ')}`;
}
