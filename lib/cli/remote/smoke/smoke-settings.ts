/** How much `smoke` does and how long it waits. Tests do less. */
export const smokeSettings = {
  /** Without an event for so long, uploads are sent to the queue. */
  eventSeconds: 60,
  outcomeSeconds: 180,
  largeSeconds: 480,
  runSeconds: 300,
  /** A retry follows after 8 to 10 s. */
  retrySeconds: 120,
  /** After the commit, an attempt that does not fail is done sooner. */
  failureSeconds: 3,
  /** CloudWatch shows lines of a log after some seconds. */
  logSeconds: 60,
  /** Jobs that are not finished are awaited before their objects are removed. */
  settleSeconds: 60,
  /**
   * 16 MB of puzzles, for which a stack expects so many seconds. It makes a shard for each minute. Up to nine shards have
   * more than the 5 MiB of solutions each that S3 needs to copy a part; and a function that plans shards may be three times
   * faster than the one that solves.
   */
  large: { puzzles: 200_000, expectedSeconds: 200 },
  /** Copies of the known puzzles in the file that measures the rate. */
  rateRepeats: 200,
  /** Checks that are left out. */
  omitted: [] as readonly string[],
};
