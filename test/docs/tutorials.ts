/**
 * Runs a tutorial: its blocks of `sh` in one folder, one after the other. A block of `text` after a block of `sh` is what it
 * prints; other blocks with a language are files that the text names before them.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from '../local/fixture-function.ts';

const ROOT = join(import.meta.dirname, '../..');
const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;
/** The name of a file in the text before a block. */
const FILE_NAME = /`([\w-]+\.(?:js|html))`:\s*$/;

/** Commands that need AWS, the network or a fresh checkout: they do nothing here. */
const ELSEWHERE = /^(?:npm ci|npx cdk (?:bootstrap|deploy)|npx dlx-batch doctor)\b/;

/** Commands of a tutorial: `npx` finds those of the checkout. */
const NPX = `#!/bin/sh
command=$1; shift
case "$command" in
  dlx-batch) exec "${process.execPath}" "${ROOT}/bin/dlx-batch.mjs" "$@" ;;
  esbuild) exec "${ROOT}/node_modules/.bin/esbuild" "$@" "--alias:dlx-batch/browser=${ROOT}/lib/api/browser.ts" ;;
  *) echo "the tutorial runs $command, which is not known" >&2; exit 127 ;;
esac
`;

export const TUTORIALS = readdirSync(join(ROOT, 'docs/tutorials')).map((name) => `docs/tutorials/${name}`);
/** Tutorials of a stack. */
export const WITH_STACK = ['docs/tutorials/from-zero-to-aws.md', 'docs/tutorials/nightly-batch.md'];

/** Runs a tutorial, and compares what its commands print now with the page. */
export async function testTutorial(path: string, environment?: NodeJS.ProcessEnv): Promise<void> {
  const { page, commands } = await replay(path, temporaryFolder(onTestFinished), environment);
  expect(commands.length).toBeGreaterThan(0);
  await expect(page).toMatchFileSnapshot(`../../${path}`);
}

/** What a tutorial says, and what its commands print now. */
interface Replayed {
  /** The page with what its commands print now; times that differ are left as they are. */
  readonly page: string;
  /** The commands that were run. */
  readonly commands: readonly string[];
}

async function replay(path: string, folder: string, environment: NodeJS.ProcessEnv = {}): Promise<Replayed> {
  const page = readFileSync(join(ROOT, path), 'utf8');
  const env = { ...withNpx(folder), ...environment };
  const commands: string[] = [];
  let printed = '';
  let end = 0;
  let result = '';
  for (const block of page.matchAll(BLOCK)) {
    const [whole, language, content = ''] = block;
    result += page.slice(end, block.index);
    const name = FILE_NAME.exec(page.slice(end, block.index))?.[1];
    end = block.index + whole.length;
    if (name !== undefined) writeFileSync(join(folder, name), content);
    if (language === 'sh') {
      const script = content
        .split('\n')
        .filter((line) => !ELSEWHERE.test(line))
        .join('\n');
      commands.push(...script.split('\n').filter((line) => line.startsWith('npx ')));
      printed = await run(script, folder, env);
    }
    const isCurrent = language !== 'text' || masked(content) === masked(printed);
    result += isCurrent ? whole : `\`\`\`text\n${printed}\`\`\``;
  }
  return { page: result + page.slice(end), commands };
}

/** The environment of a shell whose `npx` is that of a checkout. */
export function withNpx(folder: string): NodeJS.ProcessEnv {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/npx'), NPX);
  chmodSync(join(folder, 'bin/npx'), 0o755);
  return { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
}

/** Stands for the reader's folder. */
const HOME = '/home/you';

/** @returns standard output and standard error, with a folder that a reader may have */
async function run(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('bash', ['-c', `exec 2>&1\n${script}`], { cwd, env });
  const [output] = await Promise.all([
    text(child.stdout),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  if (/^(?:Error|error:)|unknown command|unknown option|(?:not found|not known)$/m.test(output)) {
    throw new Error(`${script.trim()}\nprints\n${output}`);
  }
  return output.replaceAll(realpathSync(cwd), HOME).replaceAll(cwd, HOME);
}

/** What differs between two runs. */
function masked(output: string): string {
  return output.replaceAll(/\d[\d.,]* (?:µs|ms|s)\b|\d[\d.,]*\/s|\d+ workers?/g, '*');
}
