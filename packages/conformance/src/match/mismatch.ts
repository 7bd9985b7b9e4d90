export { describeMismatch } from '@proto/testkit/internal';
