export { Inbox, NotReceived } from '@proto/testkit/internal';
