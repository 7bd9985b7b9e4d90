import type { Credential } from '../server-scope.ts';

export interface Opening {
  readonly name: string;
  readonly base: string;
  readonly credential: Credential;
  readonly session: string;
  readonly isWorker: boolean;
  /** Undefined if the request has no cursor. */
  readonly from: number | undefined;
}
