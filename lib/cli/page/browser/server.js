/**
 * Requests from the page to its server, and files to S3.
 *
 * @typedef {import('../page-jobs.ts').PageJobs} PageJobs
 * @typedef {import('../authorize-upload.ts').UploadAuthorization} UploadAuthorization
 * @typedef {import('../upload-request.ts').UploadRequest} UploadRequest
 * @typedef {import('../explain-sample.ts').SampleExplanation} SampleExplanation
 */

const TIMEOUT_MS = 30_000;

/** The server does not answer, or another program answers. */
export class UnreachableError extends Error {
  /** @override */
  name = 'UnreachableError';
}

/** S3 refused a file. */
export class FileRefusedError extends Error {
  /** @override */
  name = 'FileRefusedError';

  /**
   * @param {string} code S3's error code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }

  /** Whether the authorization has expired, so that a new one would be accepted. */
  get expired() {
    return this.code === 'AccessDenied' && this.message.includes('expired');
  }
}

/**
 * @param {string} query of the jobs that the page shows
 * @returns {Promise<PageJobs>}
 * @throws {UnreachableError | Error}
 */
export function fetchJobs(query) {
  return fetchJson(`/_page/jobs?${query}`, {});
}

/**
 * Requests authorization for an upload.
 *
 * @param {UploadRequest} upload
 * @returns {Promise<UploadAuthorization>}
 * @throws {UnreachableError | Error}
 */
export function requestUpload(upload) {
  const headers = { 'content-type': 'application/json' };
  return fetchJson('/_page/uploads', { method: 'POST', headers, body: JSON.stringify(upload) });
}

/** Bytes of a file that the server explains. */
const SAMPLE_BYTES = 1024 * 1024;

/**
 * Requests an explanation of a file from its first bytes.
 *
 * @param {string} name
 * @param {Blob} file
 * @param {Readonly<Record<string, string>>} options
 * @returns {Promise<SampleExplanation>}
 */
export async function requestExplanation(name, file, options) {
  const headers = { 'content-type': 'application/octet-stream' };
  const body = await file.slice(0, SAMPLE_BYTES).arrayBuffer();
  const query = new URLSearchParams({ ...options, name });
  return fetchJson(`/_page/explanations?${query}`, { method: 'POST', headers, body });
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function fetchJson(path, init) {
  let response;
  let text;
  try {
    response = await fetch(path, { ...init, cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await response.text();
  } catch (cause) {
    throw new UnreachableError('the stack does not answer', { cause });
  }
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (response.ok && isJson) return JSON.parse(text);
  if (response.headers.get('cross-origin-resource-policy') !== null) throw new Error(text.trim());
  throw new UnreachableError('another program answers at this address');
}

/**
 * Sends a file to its URL.
 *
 * @param {string} url
 * @param {Blob} file
 * @param {(sentBytes: number) => void} onSent
 * @param {AbortSignal} signal cancels the upload
 * @returns {Promise<string>} the version id of the object
 * @throws {UnreachableError | FileRefusedError | DOMException} AbortError after a cancellation
 */
export function sendFile(url, file, onSent, signal) {
  // fetch does not report upload progress.
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers();
  request.upload.addEventListener('progress', ({ loaded }) => onSent(Math.min(loaded, file.size)));
  request.addEventListener('error', () => reject(new UnreachableError('the connection was lost')));
  request.addEventListener('abort', () => reject(signal.reason));
  request.addEventListener('load', () => {
    const versionId = request.getResponseHeader('x-amz-version-id');
    if (request.status < 300 && versionId !== null) resolve(versionId);
    else reject(refusalOf(request.status, request.responseText));
  });
  signal.addEventListener('abort', () => request.abort(), { once: true });
  request.open('PUT', url);
  // Without the type of the file, which nothing uses.
  request.send(file.slice());
  return promise;
}

/**
 * @param {number} status
 * @param {string} xml
 */
function refusalOf(status, xml) {
  const content = (/** @type {string} */ name) =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  const message = content('Message').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return new FileRefusedError(content('Code'), message || `the stack answered with status ${status}`);
}
