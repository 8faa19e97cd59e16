/** What a report is made of: plain data, gathered while a job runs or read from the pieces of a large one. */

import type { ExceptionSample } from '../results/exception-sample.ts';
import type { PuzzleRecord } from '../results/puzzle-record.ts';
import type { JobStats } from '../results/statistics.ts';
import type { ThroughputSample } from './throughput.ts';

export interface ReportData {
  /** The input's name; left out where it has none. */
  readonly inputName?: string;
  /** When the job was over, ISO 8601 in UTC. */
  readonly finishedAt: string;
  /** The options in their canonical form, see `canonicalOptions`. */
  readonly canonicalOptions: string;
  readonly stats: JobStats;
  /** The slowest puzzles, slowest first, with their times; those of them that are small enough to be drawn. */
  readonly slowest: readonly PuzzleRecord[];
  readonly exceptions: Pick<ExceptionSample, 'first' | 'total'>;
  readonly throughput: readonly ThroughputSample[];
}
