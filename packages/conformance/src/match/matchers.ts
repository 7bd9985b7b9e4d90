export { isMatcher, matchers } from '@proto/testkit/internal';
