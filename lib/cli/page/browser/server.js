/**
 * Requests from the page to its server.
 *
 * @typedef {import('../page-jobs.ts').PageJobs} PageJobs
 * @typedef {import('../take-upload.ts').UploadAnswer} UploadAnswer
 */

const TIMEOUT_MS = 30_000;

/** The server does not answer, or another program answers. */
export class UnreachableError extends Error {
  /** @override */
  name = 'UnreachableError';
}

/**
 * @param {string} query of the jobs that the page shows
 * @returns {Promise<PageJobs>}
 * @throws {UnreachableError | Error}
 */
export function fetchJobs(query) {
  return ask(`jobs?${query}`, { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/**
 * Sends a file to the server, which puts it into the inbox.
 *
 * @param {Readonly<Record<string, string>>} query as `takeUpload` reads it
 * @param {Blob} body
 * @param {AbortSignal} signal cancels the upload
 * @returns {Promise<UploadAnswer>}
 * @throws {UnreachableError | Error}
 */
export function sendFile(query, body, signal) {
  const headers = { 'content-type': 'application/octet-stream' };
  return ask(`uploads?${new URLSearchParams(query)}`, { method: 'POST', headers, body, signal });
}

/**
 * @param {string} path
 * @param {RequestInit} request
 */
async function ask(path, request) {
  let response;
  let text;
  try {
    response = await fetch(`/_page/${path}`, request);
    text = await response.text();
  } catch (cause) {
    throw new UnreachableError('the stack does not answer', { cause });
  }
  const { ok, headers } = response;
  if (ok && headers.get('content-type')?.startsWith('application/json')) return JSON.parse(text);
  if (headers.get('cross-origin-resource-policy') !== null) throw new Error(text.trim());
  throw new UnreachableError('another program answers at this address');
}
