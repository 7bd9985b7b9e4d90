import { testEventLog } from '../vitest/index.ts';
import { createMemoryEventLog, type MemoryEventLog } from './memory-event-log.ts';

testEventLog({
  name: 'memory',
  open: createMemoryEventLog,
  another: (log) => (log as MemoryEventLog).another(),
  reopen: (log) => (log as MemoryEventLog).another(),
});
