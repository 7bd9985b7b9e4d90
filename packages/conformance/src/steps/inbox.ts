export { Inbox, NotReceived, type Received } from '@proto/testkit/internal';
