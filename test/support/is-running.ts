/** Whether a process exists, or of a negative number a process group; Node reaps its own children, so none remains as a zombie. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
