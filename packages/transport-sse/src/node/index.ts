export { undiciFetch } from './undici-fetch.ts';
