import { describe, test } from 'vitest';
import { appending } from './cases/appending.ts';
import { keeping } from './cases/keeping.ts';
import { measuring } from './cases/measuring.ts';
import { owning } from './cases/owning.ts';
import { documents, reading } from './cases/reading.ts';
import { retaining } from './cases/retaining.ts';
import type { EventLogCase, EventLogUnderTest } from './event-log-under-test.ts';

const cases: readonly EventLogCase[] = [
  ...appending,
  ...owning,
  ...reading,
  ...retaining,
  ...measuring,
  ...documents,
  ...keeping,
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
        try {
          await run({ log, under, options, pass: (ms) => void (time += ms) });
        } finally {
          await log.close();
        }
      });
    }
  });
}
export type { EventLogUnderTest } from './event-log-under-test.ts';
