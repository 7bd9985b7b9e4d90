export type {
  AnsweredRequest,
  IngressFigures,
  IngressObserver,
  MetricsEndpoint,
  MetricsText,
  ObservedAppend,
  OpenStreams,
} from './observe/observer.ts';
export { addJwtAccounts, type JwtAccountsOptions } from './node/jwt-accounts.ts';
export type { ClaimsMapping } from './node/jwt-claims.ts';
export { checkStoreFile, type StoreCheck } from './log/check-store.ts';
export {
  backupStoreFile,
  type Migrated,
  migrateStoreFile,
  type Restored,
  restoreStoreFile,
} from './log/store-copies.ts';
export {
  addAccount,
  createToken,
  inspectToken,
  makeToken,
  type NewToken,
  type TokenFacts,
} from './node/account-entries.ts';
export { openStoredSessions, type StoredSessions } from './node/stored-sessions.ts';
export { openApiDocument } from './openapi/openapi-document.ts';
