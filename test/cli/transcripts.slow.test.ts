/** The transcripts that take seconds print what their files say. */
import { isSlow, testTranscripts } from './transcripts.ts';

testTranscripts(isSlow);
