export { expectOne, findMatch } from '@proto/testkit/internal';
