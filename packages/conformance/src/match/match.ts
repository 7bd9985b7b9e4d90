export { match, type MatchResult } from '@proto/testkit/internal';
