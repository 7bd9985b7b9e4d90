export { expectAll, expectNone, expectOne, findMatch } from '@proto/testkit/internal';
