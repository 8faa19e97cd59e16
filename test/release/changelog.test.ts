import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { releaseChangelog, sectionOf } from './changelog.ts';

const CHANGELOG = `# Changelog

Text.

## [Unreleased]

### Added

- One thing, for $& $1.
- Another.

## [0.1.0] - 2026-01-02

### Fixed

- A defect.
`;

describe('a release', () => {
  it('turns "Unreleased" into a section with a version and a date, under a new one', () => {
    expect(releaseChangelog(CHANGELOG, '0.2.0', '2026-03-04')).toBe(
      CHANGELOG.replace('## [Unreleased]\n', () => '## [Unreleased]\n\n## [0.2.0] - 2026-03-04\n'),
    );
  });

  it('needs entries', () => {
    const empty = releaseChangelog(CHANGELOG, '0.2.0', '2026-03-04');
    expect(() => releaseChangelog(empty, '0.3.0', '2026-03-05')).toThrow('no entries in "## [Unreleased]"');
    expect(() => releaseChangelog('# Changelog\n', '0.3.0', '2026-03-05')).toThrow('no entries');
  });

  it('needs a new version', () => {
    expect(() => releaseChangelog(CHANGELOG, '0.1.0', '2026-03-05')).toThrow('has a section [0.1.0]');
  });

  it('is possible with the changelog of this project, if it has entries', () => {
    const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8').replace(
      '\n## [Unreleased]\n',
      '\n## [Unreleased]\n\n- An entry.\n',
    );
    const released = releaseChangelog(text, '99.0.0', '2026-03-04');
    expect(sectionOf(released, '99.0.0')).toMatch(/^- An entry\./);
    expect(sectionOf(released, '99.0.0')).not.toMatch(/^## /m);
  });
});

describe('the notes of a version', () => {
  it.each([
    ['0.1.0', '### Fixed\n\n- A defect.'],
    ['0.1', undefined],
    ['Unreleased', undefined],
  ])('%s are the body of its section', (version, notes) => {
    expect(sectionOf(CHANGELOG, version)).toBe(notes);
  });

  it('need a date', () => {
    expect(sectionOf('## [1.0.0] - soon\n\n- A.\n', '1.0.0')).toBeUndefined();
  });
});
