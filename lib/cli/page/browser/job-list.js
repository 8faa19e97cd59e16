/**
 * Jobs as they are shown: what the server says of them, as elements.
 *
 * @typedef {import('../page-jobs.ts').PageJob} PageJob
 * @typedef {import('../page-jobs.ts').PageJobs} PageJobs
 */
import { byId, createElement, heading } from './elements.js';
import { updateChildren } from './upload-list.js';

/** A job on the page. @typedef {{ readonly item: HTMLLIElement, readonly age: HTMLElement, shown: string }} Row */

export class JobListView {
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** Version ids of uploads that took the place of others. @type {Set<string>} */
  #replacing = new Set();

  /** Says of an upload that its name was there before. @param {string} versionId */
  markReplacing(versionId) {
    this.#replacing.add(versionId);
  }

  /** Shows the jobs as they are now. @param {PageJobs} found */
  show({ jobs, more, totals }) {
    const nothing = byId('no-jobs', HTMLElement);
    nothing.hidden = jobs.length > 0;
    nothing.textContent = 'No files yet.';
    const sums = byId('job-totals', HTMLElement);
    sums.hidden = jobs.length === 0;
    sums.textContent = totals;
    const others = byId('job-more', HTMLElement);
    others.hidden = more === 0;
    others.textContent = `These are the newest ${jobs.length}. ${more.toLocaleString('en-US')} older ones are there as well; dlx-batch status lists them.`;
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
    const look = JSON.stringify(rest);
    if (row.shown === look) return;
    row.shown = look;
    row.item.className = job.state;
    const { name, state, text = '', counts = [], details = [] } = job;
    /** @type {HTMLElement[]} */
    const parts = [heading(name, state, state), row.age, createElement('p', {}, text)];
    if (counts.length > 0) parts.push(countList(counts));
    for (const detail of details) parts.push(createElement('p', { class: 'facts' }, detail));
    if (this.#replacing.has(job.versionId)) {
      parts.push(
        createElement('p', { class: 'facts' }, 'A new version: a file of this name was there before.'),
      );
    }
    if (job.files !== undefined) parts.push(resultList(job));
    row.item.replaceChildren(...parts);
  }
}

/** What tells a job from all others. @param {Pick<PageJob, 'key' | 'versionId'>} job */
export function jobIdentity({ key, versionId }) {
  return JSON.stringify([key, versionId]);
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
    const look = { href: report, target: '_blank', rel: 'noopener', class: 'report' };
    const text = 'Look at the report';
    items.unshift(
      createElement(
        'li',
        {},
        createElement('a', { ...look, 'aria-label': `${text} of ${name}, in a new tab` }, text),
      ),
    );
  }
  return createElement('ul', { class: 'results', 'aria-label': `Results of ${name}` }, ...items);
}
