import type { Account } from '../auth/accounts.ts';

/** Thrown if a request needs a session that another node owns: the request has to be forwarded to that node. */
export class NotOwner extends Error {
  readonly session: string;
  readonly url: string;
  /** The account of the request, if it is known. */
  readonly account: Account | undefined;

  constructor(session: string, url: string, account?: Account) {
    super('another node has the session');
    this.session = session;
    this.url = url;
    this.account = account;
  }
}
