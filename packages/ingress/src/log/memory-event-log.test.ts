import { testEventLog } from '../vitest/index.ts';
import { createMemoryEventLog } from './memory-event-log.ts';

testEventLog({ name: 'memory', open: createMemoryEventLog });
