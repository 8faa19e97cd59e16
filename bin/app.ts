// The CDK app: creates the stack from the context. `npx cdk synth` and `npx cdk deploy` run it.
import { App } from 'aws-cdk-lib';
import { DlxBatchStack } from '../lib/infra/dlx-batch-stack.ts';
import { readStackContext, SettingError } from '../lib/infra/settings.ts';

const app = new App();
try {
  const { stackName, props } = readStackContext(app.node);
  new DlxBatchStack(app, stackName, props);
} catch (error) {
  if (!(error instanceof SettingError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
