/** The licences that shipped code may have: permissive ones, which our own licence, MIT, can be combined with. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Zlib',
]);

/** Whether an SPDX expression is allowed: one of its alternatives, with all of their parts. Nested ones are refused. */
export function isAllowedLicence(licence: string | undefined): boolean {
  const alternatives = licence?.replace(/^\((.*)\)$/, '$1').split(' OR ') ?? [];
  return alternatives.some((alternative) => alternative.split(' AND ').every((id) => ALLOWED.has(id)));
}
