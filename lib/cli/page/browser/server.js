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
export async function fetchJobs(query) {
  let response;
  let text;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(`/_page/jobs?${query}`, { cache: 'no-store', signal });
    text = await response.text();
  } catch (cause) {
    throw new UnreachableError('the stack does not answer', { cause });
  }
  return documentIn(response.ok, (name) => response.headers.get(name), text);
}

/**
 * The document of an answer.
 *
 * @param {boolean} ok
 * @param {(name: string) => string | null} header
 * @param {string} text
 * @throws {UnreachableError | Error}
 */
function documentIn(ok, header, text) {
  if (ok && header('content-type')?.startsWith('application/json')) return JSON.parse(text);
  if (header('cross-origin-resource-policy') !== null) throw new Error(text.trim());
  throw new UnreachableError('another program answers at this address');
}

/**
 * Sends a file to the server, which puts it into the inbox.
 *
 * @param {Readonly<Record<string, string>>} query as `takeUpload` reads it
 * @param {Blob} file
 * @param {(sentBytes: number) => void} onSent
 * @param {AbortSignal} signal cancels the upload
 * @returns {Promise<UploadAnswer>}
 * @throws {UnreachableError | Error | DOMException} AbortError after a cancellation
 */
export function sendFile(query, file, onSent, signal) {
  // fetch does not report upload progress.
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers();
  request.upload.addEventListener('progress', ({ loaded }) => onSent(Math.min(loaded, file.size)));
  request.addEventListener('error', () => reject(new UnreachableError('the connection was lost')));
  request.addEventListener('abort', () => reject(signal.reason));
  request.addEventListener('load', () => resolve(request));
  signal.addEventListener('abort', () => request.abort(), { once: true });
  request.open('POST', `/_page/uploads?${new URLSearchParams(query)}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.send(file);
  return promise.then(({ status, responseText }) =>
    documentIn(status === 200, (name) => request.getResponseHeader(name), responseText),
  );
}
