/** Splits an account's concurrent executions between uploads and shards. */
import { largeFileConcurrency } from '../batch/estimate/most-dollars.ts';
import type { Settings } from './settings.ts';

type ConcurrencySettings = Pick<Settings, 'accountConcurrency' | 'maxConcurrency' | 'shardConcurrency'>;

/** Executions outside both settings: a step of a bulk run, and a plan or a merge of another large file. */
const OTHER_FUNCTIONS = 2;

const DEFAULT_ACCOUNT_CONCURRENCY = 1000;

/** AWS refuses a reservation that leaves fewer executions to the other functions of the account. */
const MIN_UNRESERVED = 100;

export interface SharedConcurrency {
  readonly files: number;
  /** Of one large file, and of all with `reserved`. */
  readonly shards: number;
  /** Undefined if the account has too few executions, or nobody has said how many: a new account has ten. */
  readonly reserved: ReturnType<typeof largeFileConcurrency> | undefined;
}

/**
 * Lowers both settings to fit the account: uploads get at most half of it, the shards of a file get the rest. So one
 * large file never takes a function from uploads or from the scheduled run.
 */
export function shareConcurrency(settings: ConcurrencySettings): SharedConcurrency {
  const { accountConcurrency = DEFAULT_ACCOUNT_CONCURRENCY } = settings;
  const shared = accountConcurrency - OTHER_FUNCTIONS;
  const files = Math.min(settings.maxConcurrency, Math.floor(shared / 2));
  const shards = Math.min(settings.shardConcurrency, shared - files);
  const large = largeFileConcurrency({ files, shards });
  const unreserved = accountConcurrency - Object.values(large).reduce((sum, each) => sum + each, 0);
  const canReserve = settings.accountConcurrency !== undefined && unreserved >= MIN_UNRESERVED + files;
  return { files, shards, reserved: canReserve ? large : undefined };
}
