/** Contexts of the stack: every setting but its name and tags, and existing buckets. The default is that of `cdk.json`. */

const KEYS = ['own', 'uploads', 'results'].map((name) => `arn:aws:kms:eu-west-1:111122223333:key/${name}`);

export const ALL_SETTINGS: Readonly<Record<string, unknown>> = {
  'dlx:memoryMb': 3008,
  'dlx:timeoutSeconds': 300,
  'dlx:accountConcurrency': 1000,
  'dlx:maxConcurrency': 7,
  'dlx:shardMemoryMb': 2048,
  'dlx:shardConcurrency': 250,
  'dlx:schedule': 'at(2027-01-01T00:00:00)',
  'dlx:scheduleTimeZone': 'Europe/Berlin',
  'dlx:scheduleFlexibleMinutes': '15',
  'dlx:scheduleEnabled': 'false',
  'dlx:maxUnpackedMb': 100,
  'dlx:maxWritten': 50,
  'dlx:uploadVersionDays': 25,
  'dlx:noncurrentVersionDays': 45,
  'dlx:logRetentionDays': 90,
  'dlx:inputExpiryDays': 90,
  'dlx:resultExpiryDays': '365',
  'dlx:tracing': 'true',
  'dlx:dashboard': 'true',
  'dlx:encryptionKey': 'create',
  'dlx:permissionsBoundaryArn': 'arn:aws:iam::111122223333:policy/boundary',
  'dlx:defaultOptions': { engine: 'dlx', 'max-nodes': 1000 },
  'dlx:alarmTopicArn': 'arn:aws:sns:eu-west-1:111122223333:on-call',
  'dlx:alarmEmails': 'a@example.com,b@example.com',
  'dlx:eventBus': 'arn:aws:events:eu-west-1:111122223333:event-bus/mine',
  'dlx:eventEmails': 'c@example.com',
  'dlx:eventEmailTypes': 'JobFailed',
};

export const EXISTING_BUCKETS: Readonly<Record<string, unknown>> = {
  'dlx:encryptionKey': KEYS[0],
  'dlx:puzzleBucketName': 'my-uploads',
  'dlx:puzzleBucketKeyArn': KEYS[1],
  'dlx:resultsBucketName': 'my-results',
  'dlx:resultsBucketKeyArn': KEYS[2],
  // Without the warnings about imported resources in the output.
  '@aws-cdk/core:annotationsInValidationReport': false,
};
