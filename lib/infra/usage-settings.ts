/** The settings of the ceilings of a day. */
import { DEFAULT_MAX_DAY_DOLLARS, USAGE_CEILING_NAMES, type UsageCeilingName } from '../batch/limits.ts';
import {
  isUsageCeiling,
  type NO_CEILING,
  USAGE_CEILING_VALUES,
  usageSettingName,
} from '../batch/usage/usage-ceilings.ts';

/** Ceilings of a day in UTC, which no upload can raise: a number, or `none`. */
export interface UsageSettings {
  /**
   * US dollars of all uploads of a day, estimated before each is solved and measured afterwards. An upload that would
   * exceed it is rejected.
   * @default 250
   */
  readonly maxDayDollars?: number | typeof NO_CEILING;

  /**
   * MiB of all uploads of a day.
   * @default - none
   */
  readonly maxDayMb?: number | typeof NO_CEILING;

  /**
   * US dollars of the uploads of a day in each folder under `inbox/` and `scheduled/`.
   * @default - none
   */
  readonly maxFolderDollars?: number | typeof NO_CEILING;

  /**
   * MiB of the uploads of a day in each folder under `inbox/` and `scheduled/`.
   * @default - none
   */
  readonly maxFolderMb?: number | typeof NO_CEILING;
}

/** The texts of these ceilings for the functions, with the default. @throws Error that names the invalid setting */
export function usageCeilingTexts(
  settings: UsageSettings,
): Readonly<Partial<Record<UsageCeilingName, string>>> {
  const given = { maxDayDollars: DEFAULT_MAX_DAY_DOLLARS, ...defined(settings) };
  return Object.fromEntries(
    USAGE_CEILING_NAMES.flatMap((name) => {
      const setting = usageSettingName(name) as keyof UsageSettings;
      const value = given[setting];
      if (value === undefined) return [];
      if (isUsageCeiling(String(value))) return [[name, String(value)]];
      throw new Error(`${setting} is ${value}: expected ${USAGE_CEILING_VALUES}`);
    }),
  );
}

function defined(settings: UsageSettings): UsageSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
