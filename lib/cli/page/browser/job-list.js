/**
 * Shows the jobs from the server as elements.
 *
 * @typedef {import('../page-jobs.ts').PageJob} PageJob
 * @typedef {import('../page-jobs.ts').PageJobs} PageJobs
 */
import { byId, createElement, heading, updateChildren } from './elements.js';
import { ListTools } from './puzzles/list-tools.ts';

/** The elements of a job. @typedef {{ readonly item: HTMLLIElement, readonly age: HTMLElement, shown: string }} Row */

export class JobListView {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  #tools;
  /** Version ids of uploads that replaced others. @type {Set<string>} */
  #replacing = new Set();

  /** @param {() => void} onQuery called when the user wants other jobs */
  constructor(onQuery) {
    this.#tools = new ListTools('file', 'Find a file by its name', (isTurned) => {
      onQuery();
      if (isTurned) byId('results', HTMLElement).focus();
    });
    byId('job-tools', HTMLElement).prepend(this.#tools.filters, this.#tools.finder);
    byId('job-list', HTMLElement).after(this.#tools.paging);
  }

  /** Which jobs the user wants, as the server reads it. */
  get query() {
    const { filter, search: find, page } = this.#tools;
    return String(new URLSearchParams({ filter, find, page: String(page) }));
  }

  /** Marks an upload that replaced another version. @param {string} versionId */
  markReplacing(versionId) {
    this.#replacing.add(versionId);
  }

  /** Updates the list. @param {PageJobs} found */
  show(found) {
    const { jobs, totals, counts } = found;
    const empty = byId('no-jobs', HTMLElement);
    empty.hidden = counts.all > 0;
    empty.textContent = 'No files yet.';
    for (const id of ['job-totals', 'job-tools']) byId(id, HTMLElement).hidden = counts.all === 0;
    byId('job-totals', HTMLElement).textContent = totals;
    const filters = Object.entries(counts).map(([name, items]) => /** @type {const} */ ([name, name, items]));
    this.#tools.show({ ...found, filters });
    byId('download-all', HTMLAnchorElement).href = `/_page/results.zip?${this.query}`;
    const rows = new Map(jobs.map((job) => [jobIdentity(job), this.#rows.get(jobIdentity(job)) ?? newRow()]));
    this.#rows = rows;
    for (const job of jobs) this.#fill(/** @type {Row} */ (rows.get(jobIdentity(job))), job);
    updateChildren(
      byId('job-list', HTMLOListElement),
      [...rows.values()].map(({ item }) => item),
    );
  }

  /**
   * @param {Row} row
   * @param {PageJob} job
   */
  #fill(row, job) {
    const { age, ...rest } = job;
    row.age.textContent = [job.size, age && `${age} ago`].filter(Boolean).join(', ');
    const content = JSON.stringify(rest);
    if (row.shown === content) return;
    row.shown = content;
    row.item.className = job.state;
    const { name, state, exceptions, text = '', counts = [], details = [] } = job;
    /** @type {HTMLElement[]} */
    const parts = [headingOf(name, state, exceptions), row.age, createElement('p', {}, text)];
    if (counts.length > 0) parts.push(countList(counts));
    for (const detail of details) parts.push(createElement('p', { class: 'facts' }, detail));
    if (this.#replacing.has(job.versionId)) {
      parts.push(createElement('p', { class: 'facts' }, 'A new version of an earlier file.'));
    }
    if (job.files !== undefined) parts.push(resultList(job));
    row.item.replaceChildren(...parts);
  }
}

/** The key of a job in maps. @param {Pick<PageJob, 'key' | 'versionId'>} job */
export function jobIdentity({ key, versionId }) {
  return JSON.stringify([key, versionId]);
}

/**
 * The heading of a job: `done` with exceptions has their number and another colour.
 *
 * @param {string} name
 * @param {string} state
 * @param {string | undefined} exceptions
 */
function headingOf(name, state, exceptions) {
  return exceptions === undefined
    ? heading(name, state, state)
    : heading(name, 'exceptions', `${state}, ${exceptions}`);
}

/** @returns {Row} */
function newRow() {
  return { item: createElement('li', {}), age: createElement('p', { class: 'facts' }), shown: '' };
}

/** @param {NonNullable<PageJob['counts']>} counts */
function countList(counts) {
  const items = counts.map(({ status, puzzles }) =>
    createElement('li', {}, createElement('span', { class: `dot ${status}` }), `${puzzles} ${status}`),
  );
  return createElement('ul', { class: 'counts', 'aria-label': 'Puzzles by status' }, ...items);
}

/** @param {PageJob} job */
function resultList({ name, report, files = [] }) {
  const items = files.map(({ name: file, saveAs, size, href }) => {
    const link = createElement(
      'a',
      { href, download: saveAs, 'aria-label': `Download ${file} of ${name}` },
      file,
    );
    return createElement(
      'li',
      {},
      link,
      ...(size === '' ? [] : [' ', createElement('span', { class: 'size' }, size)]),
    );
  });
  if (report !== undefined) {
    const attributes = { href: report, target: '_blank', rel: 'noopener', class: 'report' };
    const text = 'View the report';
    items.unshift(
      createElement(
        'li',
        {},
        createElement('a', { ...attributes, 'aria-label': `${text} of ${name}, in a new tab` }, text),
      ),
    );
  }
  return createElement('ul', { class: 'results', 'aria-label': `Results of ${name}` }, ...items);
}
