export { bindAs, limitOf, nameIn, type Step } from '@proto/testkit/internal';
