export { servedAnswer } from '@proto/testkit/internal';
