import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { CompleteInstance } from './access-policies.ts';

const NEWEST = { sort: '@timestamp desc', limit: 200 };
const REPORTS = { filterStatements: ['@type = "REPORT"'] };

/** Queries of CloudWatch Logs Insights, in a folder of the instance under "Saved queries". */
export class LogQueries extends Construct {
  constructor(scope: Construct, id: string, instance: CompleteInstance) {
    super(scope, id);
    const { metricsName, solve, functions, large, bulkRun } = instance;
    const query = (name: string, of: readonly { readonly logGroup: ILogGroup }[], props: QueryStringProps) =>
      new QueryDefinition(this, name.replaceAll(' ', ''), {
        queryDefinitionName: `${metricsName}/${name}`,
        queryString: new QueryString(props),
        logGroups: of.map(({ logGroup }) => logGroup),
      });
    query('Errors', functions, {
      fields: [
        '@timestamp',
        '@log',
        'message',
        'messageId',
        'receives',
        'error.name',
        'error.message',
        '@message',
      ],
      // Functions without lines of their own: the lines of Lambda about an error, a timeout or a crash.
      filterStatements: ['level = "ERROR" or @message like /Invoke Error|Task timed out|Runtime exited/'],
      ...NEWEST,
    });
    query('One upload', [solve], {
      fields: ['@timestamp', 'message', 'versionId', 'outcome.jobId', 'outcome.execution'],
      filterStatements: ['key = "inbox/puzzles.txt"'],
      ...NEWEST,
    });
    query('Rejects', [solve], {
      fields: ['@timestamp', 'key', 'outcome.error.code', 'outcome.error.message'],
      filterStatements: ['message = "rejected"'],
      ...NEWEST,
    });
    query('Repeated failures', [solve], {
      filterStatements: ['level = "ERROR" and ispresent(receives)'],
      statsStatements: [
        'max(receives) as tries, latest(error.message) as lastError, max(@timestamp) as lastTry by messageId',
      ],
      sort: 'tries desc',
      limit: 200,
    });
    query('Duration and memory', functions, {
      ...REPORTS,
      statsStatements: [
        'count(*) as invocations, pct(@duration, 50) as p50Ms, pct(@duration, 99) as p99Ms, max(@duration) as maxMs, ' +
          'max(@maxMemoryUsed) / 1000000 as maxMemoryMb, max(@initDuration) as coldStartMs by @log',
      ],
    });
    query('Billed time', functions, {
      ...REPORTS,
      statsStatements: [
        'count(*) as invocations, sum(@billedDuration * @memorySize) / 1024000000000 as gbSeconds by bin(1d), @log',
      ],
    });
    query('Unfinished executions', [large, bulkRun], {
      fields: ['@timestamp', 'type', 'execution_arn'],
      filterStatements: ['type like /Failed|TimedOut|Aborted/'],
      ...NEWEST,
    });
  }
}
