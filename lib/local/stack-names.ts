/** Names of the local stack, for clients in other processes. */

/** An account id that no AWS account has. */
export const LOCAL_ACCOUNT = '000000000000';

export const LOCAL_STACK = {
  region: 'us-east-1',
  inputBucket: 'dlx-batch-input',
  resultsBucket: 'dlx-batch-results',
  bulkRunArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:BulkRun',
  solveLargeArn: 'arn:aws:states:us-east-1:000000000000:stateMachine:SolveLarge',
  /** Path of the URL of the queue of uploads, at the endpoint of the stack. */
  queuePath: '/000000000000/dlx-batch-jobs',
  /** And of its dead letters. */
  deadLetterPath: '/000000000000/dlx-batch-jobs-dead-letters',
} as const;
