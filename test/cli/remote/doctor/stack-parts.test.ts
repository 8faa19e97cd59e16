/** A stack may have several constructs and other resources; only those of the construct are checked. */
import { expect, test } from 'vitest';
import type { StackResource } from '../../../../lib/aws/stack-inspection.ts';
import { StackParts } from '../../../../lib/cli/remote/doctor/stack-parts.ts';

const IDENTITY = {
  account: '111122223333',
  arn: 'arn:aws-cn:iam::111122223333:user/jane',
  region: 'cn-north-1',
};
const QUEUE_URL = 'https://sqs.cn-north-1.amazonaws.com.cn/111122223333/jobs';

const resource = (logicalId: string, type: string, physicalId: string): StackResource => ({
  logicalId,
  type,
  physicalId,
  status: 'CREATE_COMPLETE',
});

const RESOURCES = [
  resource('PuzzlesUploadsQueue9C3802C9', 'AWS::SQS::Queue', QUEUE_URL),
  resource('PuzzlesUploadsDeadLetters990BC9BA', 'AWS::SQS::Queue', `${QUEUE_URL}-dead`),
  resource('PuzzlesSolveBatchRole59463CAA', 'AWS::IAM::Role', 'Shop-Role'),
  resource('PuzzlesSolveBatchFunction07631115', 'AWS::Lambda::Function', 'Shop-Solve'),
  resource('PuzzlesSolveLargeMachineD1C87D56', 'AWS::StepFunctions::StateMachine', 'arn:machine'),
  resource('PuzzlesFailed0000ABCD', 'AWS::Lambda::Function', ''),
  resource('OrdersQueue00000000', 'AWS::SQS::Queue', 'https://sqs/orders'),
  resource('OrdersSolveBatchRole00000000', 'AWS::IAM::Role', 'Other-Role'),
];

test('the resources of a construct, by type and by name', () => {
  const parts = new StackParts(IDENTITY, RESOURCES, QUEUE_URL);
  expect(parts.idsOf('AWS::SQS::Queue')).toEqual([QUEUE_URL, `${QUEUE_URL}-dead`]);
  expect(parts.idsOf('AWS::Lambda::Function')).toEqual(['Shop-Solve']);
  expect(parts.arnNamed('SolveBatchRole')).toBe('arn:aws-cn:iam::111122223333:role/Shop-Role');
  expect(parts.arnNamed('UploadsQueue')).toBe('arn:aws-cn:sqs:cn-north-1:111122223333:jobs');
  expect(parts.arnNamed('SolveBatchFunction')).toBe(
    'arn:aws-cn:lambda:cn-north-1:111122223333:function:Shop-Solve',
  );
  expect(parts.arnNamed('SolveLargeMachine')).toBe('arn:machine');
  expect(parts.arnNamed('Role')).toBeUndefined();
});
