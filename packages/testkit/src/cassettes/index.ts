export type { ApiCall, ApiFetch } from './api-fetch.ts';
export type { CassetteMiss } from './api-tape.ts';
export { CassetteError } from './cassette-error.ts';
export type { ChangedAnswers } from './host-steps.ts';
export { type CassetteHeader, type CassettePlay, type CassettePlayer, playCassette } from './play-cassette.ts';
export { type PlayHostOptions } from './play-host.ts';
export {
  type CassetteLaunch,
  type CassetteRecorder,
  recordCassette,
  type RecordCassetteOptions,
} from './record-cassette.ts';
export { type Cassette, withCassette, type WithCassetteOptions } from './with-cassette.ts';
