/** The event bus that the stack names for the events of outcomes. */
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { eventBridgeBus, eventBridgeClient } from '../lib/aws/event-bus.ts';
import type { EventDestination } from '../lib/batch/delivery/outcome-events.ts';
import { ENVIRONMENT, METRICS } from '../lib/batch/names.ts';
import { jobMetrics, stackName } from './job-metrics.ts';

const client = eventBridgeClient();
const metrics = jobMetrics();

/** @returns undefined if no bus is named: then no events are sent */
export function eventDestination(): EventDestination | undefined {
  const name = process.env[ENVIRONMENT.eventBus];
  if (name === undefined) return undefined;
  const bus = eventBridgeBus(name, client);
  return {
    stack: stackName(),
    resultsPrefix: process.env[ENVIRONMENT.resultsPrefix] ?? '',
    bus: {
      async send(type, detail) {
        try {
          await bus.send(type, detail);
        } catch (error) {
          metrics.addMetric(METRICS.eventsNotSent, MetricUnit.Count, 1);
          metrics.publishStoredMetrics();
          throw error;
        }
      },
    },
  };
}
