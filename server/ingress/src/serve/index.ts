export { type LocalAgents, type LocalServer, serve, type ServedPage, type SessionServer } from './serve.ts';
export type { AccessOptions, ServeOptions, StoreOptions } from './serve-options.ts';
