/**
 * The order of the test files. Vitest starts the longest first, by their durations in the last run; in a new checkout it
 * takes their sizes for that, and the last file, if it is a long one, runs alone for half a minute.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their sizes suggest: they wait, or start processes. */
const LONGEST = [
  'simulation/simulation',
  'simulation/simulation.slow',
  'golden/golden',
  'golden/golden.slow',
  'formats/catalogue',
  'formats/catalogue.slow',
  'batch/jobs',
  'conformance/services',
  'local/access/permissions',
  'cli/page/puzzles.slow',
  'cli/page/browser.slow',
  'batch/crashes.slow',
  'batch/report/browser.slow',
  'end-to-end/large-jobs.slow',
  'local/stack.slow',
  'cli/processes.slow',
  'cli/transcripts',
  'cli/transcripts.slow',
  'docs/reference.slow',
  'end-to-end/upload-to-results',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return index < 0 ? LONGEST.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
