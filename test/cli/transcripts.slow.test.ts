/** The transcripts that take seconds print what their files say. */
import { testTranscripts, turnOf } from './transcripts.ts';

testTranscripts((name) => turnOf(name) === 'slow');
