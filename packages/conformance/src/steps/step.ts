export { bindAs, limitOf, nameIn, partyOf, send, type Step, type Verb } from '@proto/testkit/internal';
