export type { CassetteOptions } from './cassette-agent.ts';
export { playSession, playToHost, type PlayOptions } from './play-session.ts';
export { recordSession } from './record-session.ts';
export { findStaleCassettes } from './stale-tapes.ts';
