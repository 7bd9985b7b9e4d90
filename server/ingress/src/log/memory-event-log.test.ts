import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { event, events } from '../vitest/event-log-under-test.ts';
import { testEventLog } from '../vitest/index.ts';
import { createMemoryEventLog, type MemoryEventLog } from './memory-event-log.ts';

testEventLog({
  name: 'memory',
  open: createMemoryEventLog,
  another: (log) => (log as MemoryEventLog).another(),
  reopen: (log) => (log as MemoryEventLog).another(),
});

verifies('RES-7', 'a batch that is sent again through another node changes nothing', async () => {
  await using first = createMemoryEventLog();
  await using second = first.another();
  const batch = events(3);
  const stored = await first.append('s', batch);
  await first.append('s', [event('later')]);
  const before = [await first.read('s', 0), await first.usage()];
  expect(await second.append('s', batch)).toEqual(stored.map((one) => ({ ...one, duplicate: true })));
  expect([await first.read('s', 0), await first.usage()]).toEqual(before);
});
