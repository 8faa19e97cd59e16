/** Bucket names and credentials of the test servers. */

export const BUCKET = 'versioned-bucket';
export const PLAIN_BUCKET = 'plain-bucket';
export const TEST_CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'secret', region: 'eu-west-1' };
