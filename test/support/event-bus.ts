/** An event bus in memory, which can be down. */
import type { EventDestination } from '../../lib/batch/delivery/outcome-events.ts';
import type { EventType } from '../../lib/batch/names.ts';
import { checkDocument } from './result-schemas.ts';

export interface SentEvent {
  readonly type: EventType;
  // biome-ignore lint/suspicious/noExplicitAny: JSON, whose fields the tests name.
  readonly detail: any;
}

export class RecordedEvents implements EventDestination {
  readonly stack = 'Puzzles';
  readonly resultsPrefix: string;
  readonly sent: SentEvent[] = [];
  isDown = false;
  /** Called before an event is accepted. */
  onSend: (event: SentEvent) => void = () => {};

  constructor(resultsPrefix = '') {
    this.resultsPrefix = resultsPrefix;
  }

  readonly bus = {
    send: async (type: EventType, detail: object): Promise<void> => {
      if (this.isDown) throw new Error('the bus is down');
      const event = { type, detail: JSON.parse(JSON.stringify(detail)) };
      checkDocument(type, event.detail);
      this.onSend(event);
      this.sent.push(event);
    },
  };

  get types(): EventType[] {
    return this.sent.map(({ type }) => type);
  }
}
