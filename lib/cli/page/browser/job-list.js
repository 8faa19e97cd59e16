/**
 * Shows the jobs from the server as elements.
 *
 * @typedef {import('../page-jobs.ts').PageJob} PageJob
 * @typedef {import('../page-jobs.ts').PageJobs} PageJobs
 */
import { html } from '../../../batch/report/markup.ts';
import { byId, createElement, heading, updateChildren } from './elements.js';
import { ListTools } from './puzzles/list-tools.ts';
import { elementOf } from './puzzles/trusted.ts';

/** The element of a job, and what it shows. @typedef {{ readonly item: HTMLLIElement, shown: string }} Row */
/** @typedef {import('../../../batch/report/markup.ts').HtmlMarkup} HtmlMarkup */

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
    const rows = new Map(
      jobs.map((job) => [
        jobIdentity(job),
        this.#rows.get(jobIdentity(job)) ?? { item: createElement('li', {}), shown: '' },
      ]),
    );
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
    const isReplacing = this.#replacing.has(job.versionId);
    const content = JSON.stringify([rest, isReplacing]);
    if (row.shown !== content) {
      row.shown = content;
      row.item.className = job.state;
      row.item.replaceChildren(...elementOf(jobMarkup(job, isReplacing)).childNodes);
    }
    const text = [job.size, age && `${age} ago`].filter(Boolean).join(', ');
    /** @type {Element} */ (row.item.querySelector('.age')).textContent = text;
  }
}

/** The key of a job in maps. @param {Pick<PageJob, 'key' | 'versionId'>} job */
export function jobIdentity({ key, versionId }) {
  return JSON.stringify([key, versionId]);
}

/**
 * @param {PageJob} job
 * @param {boolean} isReplacing whether it is a new version of an earlier file
 */
function jobMarkup({ name, state, exceptions, text, report, files }, isReplacing) {
  // `done` with exceptions has their number and another colour.
  const [kind, shown] = exceptions ? ['exceptions', `${state}, ${exceptions}`] : [state, state];
  return html`<li>${heading(name, kind, shown)}<p class="facts age"></p><p>${text}</p>
${isReplacing && html`<p class="facts">A new version of an earlier file.</p>`}
${files && html`<ul class="results" aria-label="Results of ${name}">${report && html`<li><a href="${report}" target="_blank" rel="noopener" class="report" aria-label="View the report of ${name}, in a new tab">View the report</a></li>`}${files.map(fileMarkup(name))}</ul>`}</li>`;
}

/** @param {string} name of the job @returns {(file: import('../page-jobs.ts').PageFile) => HtmlMarkup} */
function fileMarkup(name) {
  return ({ name: file, saveAs, size, href }) =>
    html`<li><a href="${href}" download="${saveAs}" aria-label="Download ${file} of ${name}">${file}</a> <span class="size">${size}</span></li>`;
}
