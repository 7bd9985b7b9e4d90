export { commonVerbs } from '@proto/testkit/internal';
