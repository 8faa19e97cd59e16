/**
 * The site of the documents. Its pages are the Markdown files of the project, where they are: those of `docs`, the page of
 * each module, and those at the root of the project. `vitepress build` fails on a dead link between pages.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitepress';

const ROOT = join(import.meta.dirname, '../..');
const DOCS = join(ROOT, 'docs');

/** The pages of each purpose, in the order in which one reads them. */
const SECTIONS = [
  {
    text: 'Tutorials',
    folder: 'tutorials',
    pages: ['first-solve', 'from-zero-to-aws', 'nightly-batch', 'web-page', 'worksheet'],
  },
  {
    text: 'How-to',
    folder: 'how-to',
    pages: [
      'deploy',
      'existing-buckets',
      'own-cdk-app',
      'upload',
      's3-clients',
      'events',
      'retry',
      'operate',
      'control-costs',
      'upgrade',
      'local',
      'add-a-format',
      'add-a-variant',
      'add-an-engine',
      'add-a-command',
      'analyse-results',
      'compare-solvers',
      'release',
    ],
  },
  {
    text: 'Reference',
    folder: 'reference',
    pages: [
      'commands',
      'formats',
      'tables',
      'statuses',
      'results',
      'limits',
      'settings',
      'events',
      'alarms',
      'library',
    ],
  },
  {
    text: 'Explanation',
    folder: 'explanation',
    pages: ['commit', 'large-files', 'exact-cover-files', 'search', 'costs', 'benchmarks', 'package'],
  },
];

/** Pages outside of `docs`, with their addresses. */
const PROJECT_PAGES = {
  'ARCHITECTURE.md': 'project/architecture.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'CHANGELOG.md': 'project/changelog.md',
  'SECURITY.md': 'project/security.md',
  'docs/documents.md': 'project/documents.md',
  'test/README.md': 'project/test.md',
  'test/bench/README.md': 'project/bench.md',
};
const MODULE_PAGES = Object.fromEntries(
  readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('README.md'))
    .sort()
    .map((path) => [`lib/${path}`, `modules/${path.replace('/README.md', '.md')}`]),
);
const ADDRESSES: Record<string, string> = { ...PROJECT_PAGES, ...MODULE_PAGES };

/** The title of a page: its first heading. */
function titleOf(path: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(join(ROOT, path), 'utf8'))?.[1];
  if (title === undefined) throw new Error(`${path} has no title`);
  return title.replaceAll('`', '');
}

const entry = (path: string, address: string) => ({
  text: titleOf(path),
  link: `/${address.replace(/\.md$/, '')}`,
});

function sidebar() {
  const sections = SECTIONS.map(({ text, folder, pages }) => {
    const found = readdirSync(join(DOCS, folder)).filter((name) => name.endsWith('.md'));
    const others = found.filter((name) => !pages.includes(name.slice(0, -3)));
    if (others.length > 0) throw new Error(`docs/.vitepress/config.ts does not list ${others} of ${folder}`);
    const items: object[] = pages.map((page) => entry(`docs/${folder}/${page}.md`, `${folder}/${page}`));
    if (folder === 'how-to') items.push(entry('docs/runbook.md', 'runbook'));
    if (folder === 'reference')
      items.push({ text: 'API of the library', link: '/reference/api/', items: api() });
    return { text, items };
  });
  const pagesOf = (pages: Record<string, string>) =>
    Object.entries(pages).map(([path, to]) => entry(path, to));
  return [
    ...sections,
    { text: 'Project', collapsed: true, items: pagesOf(PROJECT_PAGES) },
    { text: 'Modules', collapsed: true, items: pagesOf(MODULE_PAGES) },
  ];
}

/** The entry points of the library, as typedoc lists them. */
function api(): object[] {
  const list = join(DOCS, 'reference/api/typedoc-sidebar.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

/** Where files are that are not pages: known once the project has a repository. */
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
const REPOSITORY = GITHUB_REPOSITORY === undefined ? undefined : `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;

interface Token {
  type: string;
  tag: string;
  attrs: [string, string][] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** The address of a page of the site; undefined for another file. */
function addressOf(path: string): string | undefined {
  const address = ADDRESSES[path] ?? /^docs\/(.+\.md)$/.exec(path)?.[1];
  return address && `/${address}`;
}

/** Links between files become links between pages. One to a file that is no page leads to the repository, or is text. */
function resolveLinks(tokens: readonly Token[], page: string): void {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_close' && isText) Object.assign(token, { type: 'text_close', tag: 'span' });
    if (token.type !== 'link_open') continue;
    isText = false;
    const [target = '', anchor] = token.attrGet('href')!.split('#');
    if (target === '' || /^(?:[a-z]+:|\/)/.test(target)) continue;
    const path = join(dirname(page), target);
    if (!existsSync(join(ROOT, path))) throw new Error(`${page} links to ${target}, which does not exist`);
    const address = addressOf(path) ?? (REPOSITORY && `${REPOSITORY}/blob/main/${path}`);
    isText = address === undefined;
    if (isText) Object.assign(token, { type: 'text_open', tag: 'span', attrs: null });
    else token.attrSet('href', anchor === undefined ? address! : `${address}#${anchor}`);
  }
}

/**
 * The content security policy of a page: its own files, WebAssembly, and the inline scripts that VitePress writes. A page
 * cannot send anything to another server, so puzzles stay in the browser.
 */
function policyOf(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    `script-src 'self' 'wasm-unsafe-eval' ${hashes.join(' ')}`,
    // Colours of code are attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export default defineConfig({
  title: 'dlx-batch',
  description:
    'Solves files of sudokus and exact-cover problems: on your machine, in your program, or on AWS',
  lang: 'en',
  // No request for an icon that does not exist.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  base: process.env.DOCS_BASE ?? '/',
  srcDir: '..',
  srcExclude: ['README.md', 'dist/**', 'coverage/**', 'test/*/!(README).md', 'test/*/*/**'],
  rewrites: { ...ADDRESSES, 'docs/:path*': ':path*' },
  cleanUrls: true,
  transformHtml: (page) =>
    page.replace('<head>', `<head><meta http-equiv="content-security-policy" content="${policyOf(page)}">`),
  lastUpdated: false,
  transformPageData({ relativePath, frontmatter }) {
    if (relativePath !== 'index.md') return;
    const board = readFileSync(join(DOCS, '.vitepress/board.svg')).toString('base64');
    frontmatter.hero.image = { src: `data:image/svg+xml;base64,${board}`, alt: 'A sudoku and its solution' };
  },
  markdown: {
    config(md) {
      // The name of an option stays on one line.
      md.renderer.rules.code_inline = (tokens, k) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[k]!.content).replaceAll(/--[\w-]+/g, '<span style="white-space: nowrap">$&</span>')}</code>`;
      md.core.ruler.push('links', ({ tokens, env }) => {
        const page = env.realPath ?? env.path;
        // Indented code is shown as fenced code is.
        for (const token of tokens) {
          if (token.type === 'code_block') Object.assign(token, { type: 'fence', info: 'sh' });
        }
        // A title is rendered alone.
        if (page === undefined) return;
        for (const { children } of tokens) resolveLinks((children ?? []) as Token[], relative(ROOT, page));
      });
    },
  },
  // Pages outside of `docs` use Vue too, which is installed here only.
  vite: {
    // The threads of the page that solves puzzles.
    worker: { format: 'es' },
    // VitePress has an esbuild that does not know the target of the project.
    esbuild: { tsconfigRaw: { compilerOptions: { target: 'es2022' } } },
    plugins: [
      {
        name: 'vue-of-docs',
        enforce: 'pre',
        resolveId: (id, _, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined),
      },
    ],
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Solve here', link: '/solve' },
      { text: 'Tutorials', link: '/tutorials/first-solve', activeMatch: '/tutorials/' },
      { text: 'How-to', link: '/how-to/deploy', activeMatch: '/how-to/' },
      { text: 'Reference', link: '/reference/commands', activeMatch: '/reference/' },
      { text: 'Explanation', link: '/explanation/commit', activeMatch: '/explanation/' },
    ],
    sidebar: sidebar(),
    ...(REPOSITORY !== undefined && { socialLinks: [{ icon: 'github', link: REPOSITORY }] }),
  },
});
