/** What the stack on this machine is called, for those who talk to it from another process. */
export const LOCAL_STACK = {
  region: 'us-east-1',
  inputBucket: 'dlx-batch-input',
  resultsBucket: 'dlx-batch-results',
  bulkRunArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:BulkRun',
  /** Of the URL of the queue of uploads, at the S3 endpoint. */
  queuePath: '/000000000000/dlx-batch-jobs',
  /** Known to everybody: they keep nobody out, they only make clients sign. The server listens on loopback. */
  accessKeyId: 'dlx-batch-local',
  secretAccessKey: 'dlx-batch-local-secret',
} as const;
