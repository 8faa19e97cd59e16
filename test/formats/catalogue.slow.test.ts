/** Every invariant of readers and writers on every case of the catalogue, and whether each exception is one. */
import { describe } from 'vitest';
import { testCatalogue, testExceptions } from './catalogue-invariants.ts';

testCatalogue(true);
describe('an exception', testExceptions);
