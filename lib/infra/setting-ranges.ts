/** Ranges of the settings that are whole numbers. */
import { Token } from 'aws-cdk-lib';
import { DEADLINE_RESERVE_MS, DEFAULT_TIMEOUT_SECONDS } from '../batch/limits.ts';

export interface SettingRange {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
}

/** Below this, the time reserved for the commit would leave almost no time to solve. */
const MIN_TIMEOUT_SECONDS = 3 * (DEADLINE_RESERVE_MS / 1000);

/** A failed large job can be redriven for 14 days, and then takes up to three. */
const MIN_EXPIRY_DAYS = 21;

export const SETTING_RANGES = {
  memoryMb: { min: 128, max: 10_240, unit: 'MiB' },
  timeoutSeconds: { min: MIN_TIMEOUT_SECONDS, max: DEFAULT_TIMEOUT_SECONDS, unit: 'seconds' },
  accountConcurrency: { min: 10, max: 100_000, unit: 'concurrent executions' },
  maxConcurrency: { min: 2, max: 1000, unit: 'concurrent invocations' },
  shardMemoryMb: { min: 128, max: 10_240, unit: 'MiB' },
  shardConcurrency: { min: 1, max: 10_000, unit: 'concurrent shards' },
  scheduleFlexibleMinutes: { min: 0, max: 1440, unit: 'minutes' },
  graceMinutes: { min: 0, max: 10_080, unit: 'minutes' },
  runOverdueHours: { min: 2, max: 168, unit: 'hours' },
  maxUnpackedMb: { min: 1, max: 1_000_000_000, unit: 'MiB' },
  maxWritten: { min: 1, max: 1_000_000_000_000, unit: 'solutions' },
  maxOutputMb: { min: 1, max: 1_000_000_000, unit: 'MiB' },
  maxJobNodes: { min: 1, max: 999_999_999_999_999, unit: 'nodes' },
  uploadVersionDays: { min: MIN_EXPIRY_DAYS, max: 36_500, unit: 'days' },
  noncurrentVersionDays: { min: 1, max: 36_500, unit: 'days' },
  inputExpiryDays: { min: MIN_EXPIRY_DAYS, max: 36_500, unit: 'days' },
  resultExpiryDays: { min: MIN_EXPIRY_DAYS, max: 36_500, unit: 'days' },
} satisfies Record<string, SettingRange>;

/** Settings of version 0.1, with what to do instead. */
const REMOVED_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  ['maxDayDollars', 'maxDayMb', 'maxFolderDollars', 'maxFolderMb'].map((name) => [
    name,
    'is gone: use maxConcurrency and shardConcurrency instead, which bound what all uploads of a day cost, with ' +
      'accountConcurrency, so that shardConcurrency bounds all large files together; docs/costs.md has an alarm of AWS Budgets',
  ]),
);

/** What to do instead of a setting that is gone; undefined for any other name. */
export function removedSetting(name: string): string | undefined {
  return Object.hasOwn(REMOVED_SETTINGS, name) ? REMOVED_SETTINGS[name] : undefined;
}

/** @throws Error if a setting is gone, naming it and what to do instead */
export function checkRemovedSettings(settings: object): void {
  for (const name of Object.keys(settings)) {
    const removed = removedSetting(name);
    if (removed !== undefined) throw new Error(`${name} ${removed}`);
  }
}

export function isInRange(value: number, { min, max }: SettingRange): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

export function rangeText({ min, max, unit }: SettingRange): string {
  return `a whole number of ${unit} from ${min} to ${max}`;
}

/** @throws Error if a setting is out of its range, naming it; values that only the deployment knows are not checked */
export function checkRanges(settings: Readonly<Partial<Record<keyof typeof SETTING_RANGES, number>>>): void {
  for (const [name, range] of Object.entries(SETTING_RANGES)) {
    const value = settings[name as keyof typeof SETTING_RANGES];
    if (value === undefined || Token.isUnresolved(value) || isInRange(value, range)) continue;
    throw new Error(`${name} is ${value}: expected ${rangeText(range)}`);
  }
}
