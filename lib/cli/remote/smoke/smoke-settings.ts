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
  /** 13 MB of puzzles and 39 MB of solutions. 20,000 nodes of depth-first search take 0.8 to 1.5 ms. */
  large: { puzzles: 160_000, nodes: 20_000 },
  /** Copies of the known puzzles in the file that measures the rate. */
  rateRepeats: 200,
};
