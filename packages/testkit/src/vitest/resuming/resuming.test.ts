import { testTransport } from '../index.ts';
import { resumingTransport } from './resuming-pair.test-support.ts';

testTransport(resumingTransport());
