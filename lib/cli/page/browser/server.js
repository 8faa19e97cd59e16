/**
 * What the page asks its server, all on its own origin.
 *
 * @typedef {import('../page-jobs.ts').PageJobs} PageJobs
 * @typedef {import('../authorize-upload.ts').UploadAuthorization} UploadAnswer
 * @typedef {import('../upload-request.ts').UploadRequest} UploadWish
 */

/** An answer that takes longer does not come. */
const TIMEOUT_MS = 30_000;

/** Nobody answers, or somebody else does. */
export class UnreachableError extends Error {
  /** @override */
  name = 'Unreachable';
}

/** S3 did not take a form. */
export class FormRefusedError extends Error {
  /** @override */
  name = 'FormRefused';

  /**
   * @param {string} code S3's name of the error
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }

  /** Whether the form came too late, and a new one would be taken. */
  get expired() {
    return this.code === 'AccessDenied' && this.message.includes('expired');
  }
}

/**
 * @returns {Promise<PageJobs>}
 * @throws {UnreachableError | Error}
 */
export function fetchJobs() {
  return answerOf('/_page/jobs', {});
}

/**
 * Asks for the form of an upload.
 *
 * @param {UploadWish} wish
 * @returns {Promise<UploadAnswer>}
 * @throws {UnreachableError | Error}
 */
export function requestUpload(wish) {
  const headers = { 'content-type': 'application/json' };
  return answerOf('/_page/uploads', { method: 'POST', headers, body: JSON.stringify(wish) });
}

/**
 * @param {string} path
 * @param {RequestInit} init
 */
async function answerOf(path, init) {
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
  // Something else listens here now.
  throw new UnreachableError('another program answers at this address');
}

/**
 * Sends a file by its form.
 *
 * @param {Extract<UploadAnswer, { kind: 'form' }>} form
 * @param {Blob} file
 * @param {(sentBytes: number) => void} onSent
 * @param {AbortSignal} signal gives the upload up
 * @returns {Promise<string>} the version id of the object
 * @throws {UnreachableError | FormRefusedError | DOMException} AbortError where it was given up
 */
export function sendForm({ action, fields }, file, onSent, signal) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  // S3 passes over what comes behind the file.
  body.append('file', file, 'file');
  // fetch does not tell how much was sent.
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers();
  request.upload.addEventListener('progress', ({ loaded }) => onSent(Math.min(loaded, file.size)));
  request.addEventListener('error', () => reject(new UnreachableError('the connection was lost')));
  request.addEventListener('abort', () => reject(signal.reason));
  request.addEventListener('load', () => {
    const versionId = request.getResponseHeader('x-amz-version-id');
    if (request.status < 300 && versionId !== null) resolve(versionId);
    else reject(refusal(request.status, request.responseText));
  });
  signal.addEventListener('abort', () => request.abort(), { once: true });
  request.open('POST', action);
  request.send(body);
  return promise;
}

/**
 * @param {number} status
 * @param {string} xml
 */
function refusal(status, xml) {
  const content = (/** @type {string} */ name) =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  const message = content('Message').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return new FormRefusedError(content('Code'), message || `the stack answered with status ${status}`);
}
