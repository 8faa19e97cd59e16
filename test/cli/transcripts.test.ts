/** Each transcript prints what its file says. `npm test` leaves those that take seconds to `transcripts.slow.test.ts`. */
import { isSlow, testTranscripts } from './transcripts.ts';

const isFast = process.env.MODE === 'fast';
testTranscripts((name) => !(isFast && isSlow(name)));
