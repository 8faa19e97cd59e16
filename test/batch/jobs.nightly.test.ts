/** Each case of the catalogue of jobs in each way. */
import { testWays } from './jobs-ways.ts';

testWays(true);
