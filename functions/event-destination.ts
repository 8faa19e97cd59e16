/** The event bus that the stack names for the events of outcomes. */
import { eventBridgeBus, eventBridgeClient } from '../lib/aws/event-bus.ts';
import type { EventDestination } from '../lib/batch/delivery/outcome-events.ts';
import { ENVIRONMENT } from '../lib/batch/names.ts';
import { stackName } from './job-metrics.ts';

const client = eventBridgeClient();

/** @returns undefined if no bus is named: then no events are sent */
export function eventDestination(): EventDestination | undefined {
  const name = process.env[ENVIRONMENT.eventBus];
  if (name === undefined) return undefined;
  return {
    stack: stackName(),
    resultsPrefix: process.env[ENVIRONMENT.resultsPrefix] ?? '',
    bus: eventBridgeBus(name, client),
  };
}
