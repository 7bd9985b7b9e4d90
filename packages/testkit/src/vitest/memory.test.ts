import { testTransport } from './index.ts';
import { memory } from './memory.test-support.ts';

testTransport(memory);
