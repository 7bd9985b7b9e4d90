export { type EventLogUnderTest, testEventLog } from './test-event-log.ts';
