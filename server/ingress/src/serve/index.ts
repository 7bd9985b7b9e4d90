export { serve, type SessionServer } from './serve.ts';
export type {
  AccessOptions,
  LocalAgents,
  LocalServer,
  ServedPage,
  ServeOptions,
  StoreOptions,
} from './serve-options.ts';
