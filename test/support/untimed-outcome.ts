/** The result set of an upload without times, so that a test can compare those of two runs. */
import { jobTotals } from '../../lib/batch/results/job-totals.ts';
import type { MemoryBuckets } from './memory-store.ts';
import { readResultSet } from './result-set.ts';

/** The files of the only result set of a key, without times. */
export function untimedOutcome(buckets: MemoryBuckets, key: string): Record<string, unknown> {
  const { files, manifest } = readResultSet(buckets, key);
  const {
    timing: _,
    slowest: __,
    engine: ___,
    runtime: ____,
    used: _____,
    ...stats
  } = JSON.parse(files['stats.json']!);
  const section = (id: string) =>
    new RegExp(`<section aria-labelledby="${id}">.*?</section>`, 's')
      .exec(files['report.html']!)?.[0]
      .replaceAll(/ data-us="[\d.]*"|(?: · )?[\d.]+ (?:µs|ms|s)(?=<)/g, '');
  const untimed = (text = '') => text.replaceAll(/"solveUs":[\d.]+,?/g, '');
  const rest = Object.entries(files).filter(
    ([name]) => !['stats.json', 'records.jsonl', 'report.html'].includes(name),
  );
  return {
    ...Object.fromEntries(rest),
    records: untimed(files['records.jsonl']),
    names: manifest.files.map(({ name }) => name),
    stats,
    totals: jobTotals(manifest),
    // The parts of the report without times.
    puzzles: section('puzzles'),
    hardest: section('hardest'),
    title: /<title>.*?<\/title>/.exec(files['report.html']!)?.[0],
  };
}
