/** The documents of the statistics of a job: `stats.json` and `report.html`, from the same counts. */
import type { Hashing, ResultFiles } from '../ports.ts';
import { HTML_TYPE, JSON_TYPE } from '../results/content-types.ts';
import { storeText, type WrittenFile } from '../results/result-files.ts';
import type { ReportData } from './report-page.ts';

/** Stores them. @param report whether `report.html` is wanted */
export async function storeDocuments(
  data: ReportData,
  report: boolean,
  files: ResultFiles,
  hashing: Hashing,
): Promise<WrittenFile[]> {
  const text = `${JSON.stringify(data.stats, undefined, 2)}\n`;
  const stored = [await storeText('stats.json', JSON_TYPE, text, files, hashing)];
  if (!report) return stored;
  // Imported on demand: loading it would take most of the time of a small job.
  const { reportPage } = await import('./report-page.ts');
  stored.push(await storeText('report.html', HTML_TYPE, reportPage(data), files, hashing));
  return stored;
}
