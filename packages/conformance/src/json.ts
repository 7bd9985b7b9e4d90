export { isObject, shortJson } from '@proto/testkit/internal';
