/**
 * Ends this process when the process that started it ends, however that ends: file descriptor 3 is a pipe to it, which
 * closes then. A thread of its own watches the pipe, because the main thread may compute for minutes without a pause.
 *
 * The thread also reports the resident memory of this process, for systems on which the parent cannot read it.
 */
import { Socket } from 'node:net';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const MEMORY_REPORT_MS = 250;
const PIPE = 'pipe to the parent';

if (isMainThread) {
  // Without the options of the process, which may import this file.
  new Worker(new URL(import.meta.url), { workerData: PIPE, execArgv: [] }).unref();
} else if (workerData === PIPE) {
  const parent = new Socket({ fd: 3 });
  parent.on('error', () => parent.destroy());
  // In a thread, process.exit ends only the thread.
  parent.on('close', () => process.kill(process.pid, 'SIGKILL'));
  parent.resume();
  setInterval(() => parent.write(`${process.memoryUsage.rss()}\n`), MEMORY_REPORT_MS);
}
