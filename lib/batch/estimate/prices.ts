/**
 * What AWS asks for the services that the stack uses, in US dollars, without free tiers.
 *
 * Source: the public price pages of Lambda (arm64, first tier), Step Functions (standard workflows), S3 (standard
 * storage) and SQS for the region us-east-1. Other regions ask up to a half more.
 */
export const PRICES = {
  /** When the pages were read. */
  date: '2025-10-01',
  region: 'us-east-1',
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2 / 1e6,
  stateTransition: 0.025 / 1000,
  /** PUT, COPY, POST, LIST and the parts of a multipart upload. */
  s3Write: 0.005 / 1000,
  s3Read: 0.0004 / 1000,
  s3GbMonth: 0.023,
  sqsRequest: 0.4 / 1e6,
} as const;

/** Dollars of so much memory for so much time, arm64. */
export function lambdaDollars(gbSeconds: number, requests: number): number {
  return gbSeconds * PRICES.lambdaGbSecond + requests * PRICES.lambdaRequest;
}
