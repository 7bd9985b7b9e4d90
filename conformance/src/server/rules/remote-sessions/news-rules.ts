import { isObject, shortJson } from '@proto/testkit/steps';

import type { StreamReading } from '../../observed.ts';
import { receivedBy, type Rule } from '../rule.ts';

const STATUSES = ['DELIVERY_STATUS_RECEIVED', 'DELIVERY_STATUS_PROCESSING', 'DELIVERY_STATUS_PROCESSED'];
const OUTCOMES = ['answered', 'cancelled'];

type Data = Readonly<Record<string, unknown>>;

export const newsRules: readonly Rule[] = [
  eachNews('form-of-marks', 'REM-43', 'delivery_update', ({ event_id, status }) =>
    typeof event_id === 'string' && STATUSES.includes(String(status))
      ? undefined
      : 'lacks an event_id or a known status',
  ),
  eachNews('marks-go-forward', 'REM-44', 'delivery_update', (data, highest) =>
    rankOf(data) > highest ? undefined : 'was sent after the same or a higher status',
  ),
  eachNews('form-of-resolved', 'REM-38', 'control_resolved', ({ request_id, outcome, by }) =>
    typeof request_id === 'string' && OUTCOMES.includes(String(outcome)) && typeof by === 'string'
      ? undefined
      : 'lacks a request_id, a known outcome, or a string in `by`',
  ),
  eachNews('form-of-ephemeral', 'EVS-19', 'ephemeral_event', ({ payload, event_type, source }) =>
    isObject(payload) && payload['type'] === event_type && source === 'worker'
      ? undefined
      : 'lacks a payload of the type in `event_type`, or does not have the source `worker`',
  ),
];

/**
 * Creates a rule for each frame with a given name in the viewers' streams. `problem` is called with the data of the frame, and with the highest
 * rank of a status in earlier frames about the same event.
 */
function eachNews(
  name: string,
  spec: string,
  event: string,
  problem: (data: Data, highest: number) => string | undefined,
): Rule {
  return {
    name,
    spec,
    *check({ readings }) {
      for (const reading of readings) {
        if (reading.kind !== 'stream' || reading.isWorker) continue;
        const ranks = new Map<unknown, number>();
        for (const data of dataOf(reading, event)) {
          const highest = ranks.get(data['event_id']) ?? -1;
          const found = problem(data, highest);
          ranks.set(data['event_id'], Math.max(highest, rankOf(data)));
          if (found !== undefined)
            yield `${receivedBy(reading.party)}a frame "${event}" that ${found}: ${shortJson(data)}.`;
        }
      }
    },
  };
}

function dataOf({ frames }: StreamReading, name: string): readonly Data[] {
  return frames.filter(({ event }) => event === name).map(({ data }) => (isObject(data) ? data : {}));
}

function rankOf({ status }: Data): number {
  return STATUSES.indexOf(String(status));
}
