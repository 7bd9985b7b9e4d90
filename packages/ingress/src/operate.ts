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
