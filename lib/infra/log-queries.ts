import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { BatchFunction } from './batch-function.ts';

export interface LogQueriesProps {
  /** Folder of the queries. */
  readonly metricsName: string;
  /** The function that solves uploads. */
  readonly solve: BatchFunction;
  /** All functions, with that one. */
  readonly functions: readonly BatchFunction[];
  /** Logs of the state machines. */
  readonly machineLogs: readonly ILogGroup[];
}

/** Queries of CloudWatch Logs Insights, in a folder of the instance under "Saved queries". */
export class LogQueries extends Construct {
  constructor(scope: Construct, id: string, { metricsName, solve, functions, machineLogs }: LogQueriesProps) {
    super(scope, id);
    const all = functions.map(({ logGroup }) => logGroup);
    const queries = {
      Errors: {
        logs: all,
        query: {
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
          sort: '@timestamp desc',
          limit: 200,
        },
      },
      'One upload': {
        logs: [solve.logGroup],
        query: {
          fields: ['@timestamp', 'message', 'versionId', 'outcome.jobId', 'outcome.execution'],
          filterStatements: ['key = "inbox/puzzles.txt"'],
          sort: '@timestamp desc',
          limit: 200,
        },
      },
      Rejects: {
        logs: [solve.logGroup],
        query: {
          fields: ['@timestamp', 'key', 'outcome.error.code', 'outcome.error.message'],
          filterStatements: ['message = "rejected"'],
          sort: '@timestamp desc',
          limit: 200,
        },
      },
      'Repeated failures': {
        logs: [solve.logGroup],
        query: {
          filterStatements: ['level = "ERROR" and ispresent(receives)'],
          statsStatements: [
            'max(receives) as tries, latest(error.message) as lastError, max(@timestamp) as lastTry by messageId',
          ],
          sort: 'tries desc',
          limit: 200,
        },
      },
      'Duration and memory': {
        logs: all,
        query: {
          filterStatements: ['@type = "REPORT"'],
          statsStatements: [
            'count(*) as invocations, pct(@duration, 50) as p50Ms, pct(@duration, 99) as p99Ms, max(@duration) as maxMs, ' +
              'max(@maxMemoryUsed) / 1000000 as maxMemoryMb, max(@initDuration) as coldStartMs by @log',
          ],
        },
      },
      'Billed time': {
        logs: all,
        query: {
          filterStatements: ['@type = "REPORT"'],
          statsStatements: [
            'count(*) as invocations, sum(@billedDuration * @memorySize) / 1024000000000 as gbSeconds by bin(1d), @log',
          ],
        },
      },
      'Unfinished executions': {
        logs: machineLogs,
        query: {
          fields: ['@timestamp', 'type', 'execution_arn'],
          filterStatements: ['type like /Failed|TimedOut|Aborted/'],
          sort: '@timestamp desc',
          limit: 200,
        },
      },
    };
    for (const [name, { logs, query }] of Object.entries(queries)) {
      new QueryDefinition(this, name.replaceAll(' ', ''), {
        queryDefinitionName: `${metricsName}/${name}`,
        queryString: new QueryString(query),
        logGroups: [...logs],
      });
    }
  }
}
