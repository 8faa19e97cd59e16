/**
 * Ceilings of a UTC day: what all uploads together may use, and those of one folder under `inbox/` or `scheduled/`.
 *
 * Only the operator sets them (settings of the stack, flags of `local`); the metadata of an upload cannot. With them, the
 * bill of a day has a limit, however many uploads each stay below the ceilings of a job.
 */
import { DEFAULT_MAX_DAY_DOLLARS, USAGE_CEILING_NAMES, type UsageCeilingName } from '../limits.ts';
import type { UploadPrefixes } from '../names.ts';
import type { OptionTexts } from '../options.ts';
import { numberText } from '../quantities.ts';

/** What an upload uses. */
export interface Usage {
  /** Of the stored file. */
  readonly bytes: number;
  /** Estimated before it is solved, measured afterwards; millionths, so that sums are exact. */
  readonly microdollars: number;
}

export type Measure = keyof Usage;

export interface UsageCeiling {
  readonly name: UsageCeilingName;
  readonly scope: 'day' | 'folder';
  readonly measure: Measure;
  /** In the unit of the measure. */
  readonly max: number;
}

/** Text of a ceiling that is off. */
export const NO_CEILING = 'none';

const MB = 1024 * 1024;
const MICRO = 1e6;

const CEILINGS: Readonly<
  Record<UsageCeilingName, Pick<UsageCeiling, 'scope' | 'measure'> & { readonly unit: number }>
> = {
  'max-day-dollars': { scope: 'day', measure: 'microdollars', unit: MICRO },
  'max-day-mb': { scope: 'day', measure: 'bytes', unit: MB },
  'max-folder-dollars': { scope: 'folder', measure: 'microdollars', unit: MICRO },
  'max-folder-mb': { scope: 'folder', measure: 'bytes', unit: MB },
};

/** What a ceiling may be. */
export const USAGE_CEILING_VALUES = `a number from 0.000001 to 999999999, or ${NO_CEILING}`;

/** Whether a text is a ceiling: `0.5`, `250`, `none`. */
export function isUsageCeiling(text: string): boolean {
  return text === NO_CEILING || (/^\d{1,9}(\.\d{1,6})?$/.test(text) && Number(text) > 0);
}

/**
 * The ceilings of a day that are set; none if all are off.
 *
 * @param texts by `USAGE_CEILING_NAMES`; other names are ignored
 * @throws UsageCeilingError that names the setting
 */
export function parseUsageCeilings(texts: OptionTexts): readonly UsageCeiling[] {
  const given: OptionTexts = { 'max-day-dollars': String(DEFAULT_MAX_DAY_DOLLARS), ...texts };
  return USAGE_CEILING_NAMES.flatMap((name) => {
    const text = given[name];
    if (text === undefined || text === NO_CEILING) return [];
    if (!isUsageCeiling(text)) throw new UsageCeilingError(name, text);
    const { unit, ...ceiling } = CEILINGS[name];
    return [{ name, ...ceiling, max: Math.round(Number(text) * unit) }];
  });
}

/** The value of a ceiling is invalid. */
export class UsageCeilingError extends Error {
  override readonly name = 'UsageCeilingError';

  constructor(option: string, found: string) {
    super(`option "${option}" is "${found}": expected ${USAGE_CEILING_VALUES}`);
  }
}

/** The folder of a key that its ceilings count: the first one under `inbox/` or `scheduled/`, or that prefix itself. */
export function usageFolder(key: string, { inbox, scheduled }: UploadPrefixes): string {
  const prefix = [inbox, scheduled].find((each) => key.startsWith(each)) ?? '';
  return key.slice(0, Math.max(prefix.length, key.indexOf('/', prefix.length) + 1));
}

/** `maxDayDollars` for `max-day-dollars`. */
export function usageSettingName(name: UsageCeilingName): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** `--max-day-dollars of local, or dlx:maxDayDollars of the stack`. */
export function usageSettingText(name: UsageCeilingName): string {
  return `--${name} of local, or dlx:${usageSettingName(name)} of the stack`;
}

/** `0.25 dollars`, `1,048,576 bytes`. */
export function usageText(amount: number, measure: Measure): string {
  if (measure === 'bytes') return `${numberText(amount)} bytes`;
  return `${(amount / MICRO).toLocaleString('en-US', { maximumFractionDigits: 6 })} dollars`;
}
