/** Each transcript prints what its file says: those that take no seconds or, if this file is named, all. */
import { testTranscripts, turnOf } from './transcripts.ts';

testTranscripts((name) => process.env.MODE !== 'fast' || turnOf(name) === 'fast');
