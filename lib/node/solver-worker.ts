/** A worker thread: solves ranges of records, problems and subproblems, one task after the other. */
import { parentPort } from 'node:worker_threads';
import { rateRecord } from '../batch/solving/rate-record.ts';
import { type RangeMessage, serveRanges } from '../batch/solving/serve-ranges.ts';
import type { Reply } from '../batch/solving/thread-pool.ts';
import { type SearchMessage, serveSearches } from './serve-searches.ts';
import { systemClock } from './system.ts';

const send = (reply: Reply) => parentPort!.postMessage(reply);
const serveRange = serveRanges(send, systemClock, { rate: rateRecord });
const serveSearch = serveSearches(send);

parentPort!.on('message', (message: RangeMessage | SearchMessage) => {
  if (message.kind === 'range') serveRange(message);
  else serveSearch(message);
});
