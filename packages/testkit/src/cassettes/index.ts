export { type CassetteMiss, type CassettePlayer, playCassette } from './play-cassette.ts';
export {
  type CassetteRecorder,
  DEFAULT_UPSTREAM,
  recordCassette,
  type RecordCassetteOptions,
} from './record-cassette.ts';
export { type Cassette, CassetteError, withCassette, type WithCassetteOptions } from './with-cassette.ts';
