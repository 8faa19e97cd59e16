/**
 * Regenerates the golden corpus, and prints the rows that the commit must name.
 *
 *     npm run golden                         refuses changed rows unless RESULT_SCHEMA was raised
 *     npm run golden -- 'TITLE' ...          accepts rows whose titles begin with TITLE, with the same schema
 *     npm run golden -- --show 'TITLE' ...   prints their inputs and results without wording, for comparison
 */
import { goldenCases } from './cases.ts';
import { foundRows, keepRows, keptRows, maskedText, regenerated, titleOf } from './corpus.ts';
import { RESULT_SCHEMA, solve } from './library.ts';

const [first, ...rest] = process.argv.slice(2);
if (first === '--show') await show(rest);
else await regenerate(process.argv.slice(2));

async function regenerate(accepted: readonly string[]): Promise<void> {
  const { rows, refused, ...lists } = regenerated(keptRows(), await foundRows(goldenCases()), accepted);
  for (const [what, some] of Object.entries(lists)) {
    print(`${what}: ${some.length}`, ...some.map((row) => `  ${titleOf(row)}: ${row.counts}`));
  }
  if (refused.length === 0) return keepRows(rows);
  print(
    `Nothing is written: ${refused.length} of the changed rows were made with ${RESULT_SCHEMA}. Raise RESULT_SCHEMA, or`,
    'pass the beginnings of their titles if no release has the old bytes.',
  );
  process.exitCode = 1;
}

async function show(starts: readonly string[]): Promise<void> {
  for (const golden of goldenCases()) {
    if (!starts.some((start) => titleOf(golden).startsWith(start))) continue;
    const { files, counts } = await solve(golden, golden.options);
    print(`# ${titleOf(golden)}: ${counts}`, Buffer.from(golden.plain).toString());
    print(maskedText(files, golden.plain));
  }
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
