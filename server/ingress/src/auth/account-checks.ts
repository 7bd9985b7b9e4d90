import { type Account, type Accounts, AccountsError } from './accounts.ts';

/**
 * Why the server disconnects a client: the client's account was removed or changed (`revoked`), or the accounts cannot be read now (`unavailable`).
 */
export type Ending = 'revoked' | 'unavailable';

/** Checks the accounts of a server. No method rejects: `'unavailable'` is one of the possible results. */
export interface AccountChecks {
  /** The account that clients without a token use; undefined if every client needs a token. */
  readonly anonymous: Account | undefined;
  /** The account of a token; undefined for an unknown token. */
  accountOf(token: string): Promise<Account | 'unavailable' | undefined>;
  /** Why an account may no longer use the server; undefined if the account may still use it. */
  whyEnded(account: Account): Promise<Ending | undefined>;
  /** Ends a stream if its account was revoked while the stream was being opened, because the next regular check may happen much later. */
  checkOpened(account: Account, stream: { end(reason: Ending): void }): void;
  /** Calls `onChange` when the accounts may have changed. Returns the function that stops these calls. */
  watch(onChange: () => void): () => void;
}

/**
 * A token must not contain blanks or control characters. This pattern is checked first, because a `Headers` object throws for many texts that a peer
 * can send.
 */
const TOKEN = /^[!-~\u0080-\ud7ff\ue000-\u{10ffff}]+$/u;

/** Creates the checks for `accounts`. `onError` is called once for each `AccountsError`, and every time for any other error. */
export function createAccountChecks(accounts: Accounts, onError: (error: unknown) => void): AccountChecks {
  let reported: AccountsError | undefined;
  const report = (error: unknown) => {
    if (error === reported) return;
    if (AccountsError.is(error)) reported = error;
    onError(error);
  };
  const whyEnded = async (account: Account): Promise<Ending | undefined> => {
    if (account === accounts.anonymous) return undefined;
    try {
      return (await accounts.isCurrent?.(account)) === false ? 'revoked' : undefined;
    } catch (error) {
      report(error);
      return 'unavailable';
    }
  };
  return {
    anonymous: accounts.anonymous,
    async accountOf(token) {
      if (!TOKEN.test(token)) return undefined;
      try {
        return await accounts.authenticate(token);
      } catch (error) {
        report(error);
        return 'unavailable';
      }
    },
    whyEnded,
    checkOpened(account, stream) {
      void whyEnded(account).then((reason) => reason && stream.end(reason));
    },
    watch: (onChange) =>
      accounts.watch?.((trouble) => {
        if (trouble !== undefined) report(trouble);
        onChange();
      }) ?? (() => {}),
  };
}
