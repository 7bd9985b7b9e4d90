export { describeMismatch, type Matching, type Mismatch, mismatchAt } from '@proto/testkit/internal';
