/** Names of the local stack, for clients in other processes. */
export const LOCAL_STACK = {
  name: 'DlxBatch',
  region: 'us-east-1',
  inputBucket: 'dlx-batch-input',
  resultsBucket: 'dlx-batch-results',
  bulkRunArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:BulkRun',
  solveLargeArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:SolveLarge',
  /** Path of the URL of the queue of uploads, at the S3 endpoint. */
  queuePath: '/000000000000/dlx-batch-jobs',
  /** And of its dead letters. */
  deadLetterPath: '/000000000000/dlx-batch-jobs-dead-letters',
} as const;
