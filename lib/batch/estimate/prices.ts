/** The day on which the pages of prices were read, and their region. */
export const PRICE_LIST = { date: '2025-10-01', region: 'us-east-1' } as const;

/**
 * Prices of the AWS services that the stack uses, in US dollars, without free tiers.
 *
 * Source: the public price pages of Lambda (arm64, first tier), Step Functions (standard workflows), S3 (standard
 * storage) and SQS for the region us-east-1. Other regions cost up to half as much again.
 */
export const PRICES = {
  ...PRICE_LIST,
  lambdaGbSecond: 0.0000133334,
  lambdaRequest: 0.2 / 1e6,
  stateTransition: 0.025 / 1000,
  /** PUT, COPY, POST, LIST, and each part of a multipart upload. */
  s3Write: 0.005 / 1000,
  s3Read: 0.0004 / 1000,
  sqsRequest: 0.4 / 1e6,
} as const;

/** Dollars for functions on arm64. */
export function lambdaDollars(gbSeconds: number, requests: number): number {
  return gbSeconds * PRICES.lambdaGbSecond + requests * PRICES.lambdaRequest;
}

/** Dollars for S3 requests. */
export function s3Dollars(writes: number, reads: number): number {
  return writes * PRICES.s3Write + reads * PRICES.s3Read;
}

/** Dollars for the S3 requests of a job that one function solves: 10 writes and 9 reads. */
export const JOB_S3_DOLLARS = s3Dollars(10, 9);
