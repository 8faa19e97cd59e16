/** Environment variables that must be there. */

/** @throws Error naming the variable, where it is missing or empty */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`environment variable ${name} is not set: the stack sets it on every function`);
  }
  return value;
}
