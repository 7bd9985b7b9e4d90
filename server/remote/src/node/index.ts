export { createTokenFinder, keepToken, readToken, type TokenFinderOptions } from './token-file.ts';
