export { match } from '@proto/testkit/internal';
