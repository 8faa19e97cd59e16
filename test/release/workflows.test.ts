/** The workflows of continuous integration and of releases. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../local/fixture-function.ts';

const FOLDER = new URL('../../.github/workflows/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

/** The text of each job, by name. */
function jobsOf(workflow: string): Record<string, string> {
  const jobs = workflow.split(/^jobs:\n/m)[1]!.split(/^ {2}(\w+):\n/m);
  return Object.fromEntries(
    jobs.slice(1).flatMap((name, i, all) => (i % 2 === 0 ? [[name, all[i + 1]]] : [])),
  );
}

describe.each(readdirSync(FOLDER))('%s', (name) => {
  it('pins actions by commit, with the version as a comment', () => {
    const uses = read(name).match(/^.*\buses:.*$/gm)!;
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('has no secrets, and its only expressions are names that are no input', () => {
    const expressions = [...read(name).matchAll(/\$\{\{ (.*?) \}\}/g)].map(([, expression]) => expression!);
    // The last is the address that GitHub gives the pages of the documents.
    const known = ['github.ref', 'github.token', 'steps.deployment.outputs.page_url'];
    expect(expressions.filter((expression) => !known.includes(expression))).toEqual([]);
  });
});

describe('every test runs somewhere', () => {
  const scripts = ['npm test', 'npm run test:slow', 'npm run test:nightly', 'npm run test:package'];

  it('each night', () => {
    const nightly = read('nightly.yml');
    expect(scripts.filter((script) => !nightly.includes(`${script}\n`))).toEqual([]);
  });

  it('with .ci/run, but for those of the night', () => {
    const run = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');
    const runs = (script: string) => new RegExp(`^ *${script}( \\|\\| status=\\$\\?)?$`, 'm').test(run);
    expect(scripts.filter((script) => !runs(script))).toEqual(['npm run test:nightly']);
  });
});

describe('release.yml', () => {
  const text = read('release.yml');
  const { build, npm, github, ...others } = jobsOf(text) as Record<'build' | 'npm' | 'github', string>;
  const permissionsOf = (job: string) => /^ {4}permissions:\n((?: {6}.*\n)+)/m.exec(job)![1]!.trim();

  it('runs for tags of versions', () => {
    expect(text).toContain("\non:\n  push:\n    tags: ['v*']\n\n");
    expect(others).toEqual({});
  });

  it('checks the tag, then tests, then packs; and publishes that package', () => {
    const steps = [
      'node test/release/notes.ts "$GITHUB_REF_NAME" > release/notes.md',
      'run: .ci/run',
      'npm pkg set repository.type=git ',
      'run: npm pack --pack-destination release',
      'run: npm sbom --sbom-type library --sbom-format cyclonedx | node test/release/sbom.ts > release/sbom.cdx.json',
      'actions/upload-artifact@',
    ].map((step) => build.indexOf(step));
    expect(steps).not.toContain(-1);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(npm).toMatch(/^ {4}needs: build\n/);
    expect(npm).toContain('npm publish ./release/*.tgz --provenance --access public');
    expect(github).toMatch(/^ {4}needs: npm\n/);
    expect(github).toContain('release/*.tgz release/sbom.cdx.json');
  });

  it('packs a package that names the repository of the workflow, as provenance requires', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'package.json'), '{"name":"dlx-batch"}');
    const command = /run: >-\n((?: {10}.*\n)+)/.exec(build)![1]!.replaceAll(/\s+/g, ' ');
    const env = {
      ...process.env,
      GITHUB_SERVER_URL: 'https://git.example',
      GITHUB_REPOSITORY: 'owner/name',
    };
    execFileSync('sh', ['-ec', command], { cwd: folder, env, stdio: 'pipe' });
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual({
      name: 'dlx-batch',
      repository: { type: 'git', url: 'git+https://git.example/owner/name.git' },
      bugs: { url: 'https://git.example/owner/name/issues' },
      homepage: 'https://git.example/owner/name#readme',
    });
  });

  it('lets no job write that runs code of the project', () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    expect(permissionsOf(build)).toBe('contents: read');
    expect(permissionsOf(npm)).toBe('id-token: write');
    expect(permissionsOf(github)).toBe('contents: write');
    expect(npm + github).not.toMatch(/checkout|npm (?:ci|install|run|test)|\.ci\/run/);
  });
});
