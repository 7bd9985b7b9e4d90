import { describe, test } from 'vitest';
import { appending } from './cases/appending.ts';
import { claiming } from './cases/claiming.ts';
import { conditions } from './cases/conditions.ts';
import { identity } from './cases/identity.ts';
import { keeping } from './cases/keeping.ts';
import { measuring } from './cases/measuring.ts';
import { nodes } from './cases/nodes.ts';
import { owning } from './cases/owning.ts';
import { documents, reading } from './cases/reading.ts';
import { retaining } from './cases/retaining.ts';
import { schedules } from './cases/schedules.ts';
import { tailing } from './cases/tailing.ts';
import type { EventLogCase, EventLogUnderTest } from './event-log-under-test.ts';

const cases: readonly EventLogCase[] = [
  ...appending,
  ...owning,
  ...reading,
  ...retaining,
  ...measuring,
  ...documents,
  ...keeping,
  ...identity,
  ...conditions,
  ...claiming,
  ...tailing,
  ...nodes,
  ...schedules,
];
const START_MS = Date.UTC(2030, 0, 1);
const MAX_AGE_MS = 60_000;

/** Registers the promises of `EventLog` as one vitest suite for a store, with a test for each promise. */
export function testEventLog(under: EventLogUnderTest): void {
  describe(`event log contract: ${under.name}`, () => {
    for (const { title, needs, maxBytes, maxTotalBytes, run } of cases) {
      test.skipIf(needs !== undefined && under[needs] === undefined)(title, async () => {
        let time = START_MS;
        const options = {
          now: () => time,
          maxAgeMs: MAX_AGE_MS,
          ...(maxBytes !== undefined && { maxBytes }),
          ...(maxTotalBytes !== undefined && { maxTotalBytes }),
        };
        const log = await under.open(options);
        const other = (await under.another?.(log, options)) ?? log;
        try {
          await run({ log, other, under, options, pass: (ms) => void (time += ms) });
        } finally {
          await other.close();
          await log.close();
        }
      });
    }
  });
}
export type { EventLogUnderTest } from './event-log-under-test.ts';
