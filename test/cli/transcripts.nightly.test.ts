/** The transcripts of stacks, and those that take many seconds, print what their files say. */
import { testTranscripts, turnOf } from './transcripts.ts';

testTranscripts((name) => turnOf(name) === 'nightly');
