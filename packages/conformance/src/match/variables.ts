export { Variables } from '@proto/testkit/internal';
