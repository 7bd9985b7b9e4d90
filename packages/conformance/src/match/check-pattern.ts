export { unknownMatchers } from '@proto/testkit/internal';
