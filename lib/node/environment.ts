/** The value of an environment variable. @throws Error naming the variable if it is missing or empty */
export function requiredVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`environment variable ${name} is not set: the stack sets it for each function`);
  }
  return value;
}
