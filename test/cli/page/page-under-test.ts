/** The page's server on an embedded S3 without a stack: tests solve uploads explicitly. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Retries } from '../../../lib/aws/retries.ts';
import { s3Store } from '../../../lib/aws/s3-store.ts';
import { solveUpload } from '../../../lib/batch/upload/solve-upload.ts';
import type { PageJobs } from '../../../lib/cli/page/page-jobs.ts';
import { type PageServer, startPageServer } from '../../../lib/cli/page/page-server.ts';
import type { UploadAnswer } from '../../../lib/cli/page/take-upload.ts';
import { INPUT_BUCKET, RESULTS_BUCKET, uploadDependencies } from '../../support/dependencies.ts';
import { type EmbeddedS3, startEmbeddedS3 } from '../../support/embedded-s3.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Records every answer of the page's server in `answers`. */
export class PageUnderTest {
  readonly embedded: EmbeddedS3;
  /** URL of the page without its slash. */
  readonly endpoint: string;
  readonly #server: PageServer;
  readonly answers: Answer[] = [];

  private constructor(embedded: EmbeddedS3, server: PageServer) {
    this.embedded = embedded;
    this.#server = server;
    this.endpoint = server.url.slice(0, -1);
  }

  static async start(): Promise<PageUnderTest> {
    const embedded = await startEmbeddedS3();
    const { s3, store } = embedded;
    const buckets = { inputBucket: INPUT_BUCKET, resultsBucket: RESULTS_BUCKET };
    const onFault = (error: unknown) => {
      throw error;
    };
    const connection = { s3, store, retries: new Retries(), ...buckets };
    return new PageUnderTest(embedded, await startPageServer(connection, { port: 0, onFault }));
  }

  /** Sends a request with any headers, also those that a browser would not send. */
  async ask(path: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<Answer> {
    const answer = await new Promise<Answer>((resolve, reject) => {
      const asked = request(`${this.endpoint}${path}`, { method, headers, agent: false });
      asked.on('error', reject);
      asked.on('response', async (response) => {
        response.setEncoding('utf8');
        resolve({ status: response.statusCode!, headers: response.headers, text: await text(response) });
      });
      asked.end(body);
    });
    this.answers.push(answer);
    return answer;
  }

  /** @param query which jobs, as the page asks for them */
  async jobs(query = ''): Promise<PageJobs> {
    return JSON.parse((await this.ask(`/_page/jobs?${query}`)).text);
  }

  /** Sends a file as the page does. @param query its name and options */
  async upload(query: Readonly<Record<string, string>>, body = ''): Promise<UploadAnswer> {
    const headers = { 'content-type': 'application/octet-stream' };
    const path = `/_page/uploads?${new URLSearchParams({ name: 'a.txt', ...query })}`;
    return JSON.parse((await this.ask(path, { method: 'POST', headers, body })).text);
  }

  /** Solves an upload as the stack does. */
  async solve(key: string, versionId: string): Promise<void> {
    const { s3 } = this.embedded;
    const head = await s3.headObject({ Bucket: INPUT_BUCKET, Key: key, VersionId: versionId });
    const etag = head.ETag!.replaceAll('"', '');
    const upload = { bucket: INPUT_BUCKET, key, versionId, bytes: head.ContentLength, etag };
    await solveUpload(upload, false, uploadDependencies(s3Store(s3), 'attempt-a'));
  }

  /** Uploads a file through the page and solves it. @returns the version id */
  async solved(name: string, body: string, options: Readonly<Record<string, string>> = {}): Promise<string> {
    const answer = await this.upload({ ...options, name }, body);
    if (answer.kind !== 'uploaded') throw new Error(`not uploaded: ${JSON.stringify(answer)}`);
    const versionId = answer.versionId!;
    await this.solve(`inbox/${name}`, versionId);
    return versionId;
  }

  /** Solves all queued uploads. */
  async solveAll(): Promise<void> {
    for (const { state, key, versionId } of (await this.jobs()).jobs) {
      if (state === 'queued') await this.solve(key, versionId);
    }
  }

  async stop(): Promise<void> {
    await this.#server.close();
    await this.embedded.stop();
  }
}
