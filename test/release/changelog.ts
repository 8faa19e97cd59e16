/** The sections of CHANGELOG.md, which follows Keep a Changelog. */

const UNRELEASED = '## [Unreleased]';

/**
 * Turns the section "Unreleased" into that of a version, and puts a new, empty one above it.
 *
 * @param date of the release, as 2026-11-22
 * @throws Error if nothing is unreleased, or the version has a section
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  if (sectionOf(text, version) !== undefined) throw new Error(`CHANGELOG.md has a section [${version}]`);
  if (!/^- /m.test(bodyAfter(text, UNRELEASED) ?? '')) {
    throw new Error(`CHANGELOG.md has no entries in "${UNRELEASED}"`);
  }
  return text.replace(`\n${UNRELEASED}\n`, () => `\n${UNRELEASED}\n\n## [${version}] - ${date}\n`);
}

/** The body of a version's section; undefined without such a section or its date. */
export function sectionOf(text: string, version: string): string | undefined {
  const heading = text.split('\n').find((line) => line.startsWith(`## [${version}] - `));
  if (heading === undefined || !/ - \d{4}-\d\d-\d\d$/.test(heading)) return undefined;
  return bodyAfter(text, heading);
}

/** The text between a heading and the next one of its level. */
function bodyAfter(text: string, heading: string): string | undefined {
  const lines = text.split('\n');
  const start = lines.indexOf(heading);
  if (start === -1) return undefined;
  const end = lines.findIndex((line, i) => i > start && line.startsWith('## '));
  return lines
    .slice(start + 1, end === -1 ? undefined : end)
    .join('\n')
    .trim();
}
