export { type HeadlessEnvironment, PROTOCOL_VERSION, runHeadless } from './run-headless.ts';
