import { isObject } from '@proto/testkit/steps';

import { sentEntries } from '../remote-sessions/sent-entries.ts';
import { numbersByUuid } from '../resume/order-rules.ts';
import type { Rule } from '../rule.ts';

export const earlyLineRules: readonly Rule[] = [
  {
    name: 'nothing-before-auth',
    spec: 'WSK-57',
    *check(observed) {
      for (const reading of observed.readings) {
        if (reading.kind !== 'socket') continue;
        const numbers = numbersByUuid(observed, reading.session);
        const lines = sentEntries(observed).filter(({ carrier }) => carrier === reading);
        const auth = lines.findIndex(({ payload }) => payload['type'] === 'auth' && isObject(payload['credential']));
        const stored = lines.slice(0, Math.max(auth, 0)).find(({ uuid, times }) => times === 1 && numbers.has(uuid));
        if (stored !== undefined)
          yield `The message ${stored.uuid} was sent by "${reading.party}" before its auth line, but became an event.`;
      }
    },
  },
];
