export { isObject, type Json, type JsonObject, shortJson } from '@proto/testkit/internal';
