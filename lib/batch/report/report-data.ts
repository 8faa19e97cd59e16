/** The data of a report, collected while a job runs or read from the parts of a large job. */

import type { ExceptionSample } from '../results/exception-sample.ts';
import type { PuzzleRecord } from '../results/puzzle-record.ts';
import type { JobStats } from '../results/statistics.ts';
import type { ThroughputSample } from './throughput.ts';

export interface ReportData {
  /** @default a generic name */
  readonly inputName?: string;
  /** ISO 8601 in UTC. */
  readonly finishedAt: string;
  /** See `canonicalOptions`. */
  readonly canonicalOptions: string;
  readonly stats: JobStats;
  /** Records of the hardest puzzles that are small enough to draw, hardest first. */
  readonly hardest: readonly PuzzleRecord[];
  readonly exceptions: Pick<ExceptionSample, 'first' | 'total'>;
  readonly throughput: readonly ThroughputSample[];
}
