import { type Account, type Accounts, AccountsError } from './accounts.ts';

/** Why somebody who was let in has to go: the account was taken away or changed, or nobody can tell now whether it was. */
export type Ending = 'revoked' | 'unavailable';

/** Asks the accounts of a server. Nothing here rejects: accounts that cannot be asked are an answer, too. */
export interface AccountChecks {
  /** Whoever comes without a token; undefined where everybody needs one. */
  readonly anonymous: Account | undefined;
  /** Whose token it is; undefined for nobody's. */
  accountOf(token: string): Promise<Account | 'unavailable' | undefined>;
  /** Why an account may not go on with what it began; undefined while it may. */
  whyEnded(account: Account): Promise<Ending | undefined>;
  /** Ends a stream that was just opened, where its account was taken away while it was being opened: later checks may be far off. */
  checkOpened(account: Account, stream: { end(reason: Ending): void }): void;
  /** Calls back whenever the accounts have changed, and gives the function that stops it. */
  watch(onChange: () => void): () => void;
}

/**
 * What is a token: a text without blanks and control characters. It is looked at as text and never put into a header, which would throw for
 * half of what a peer can send.
 */
const TOKEN = /^[!-~\u0080-\ud7ff\ue000-\u{10ffff}]+$/u;

/** Asks `accounts`. `onError` is told once of each `AccountsError`, and each time of anything else that goes wrong there. */
export function createAccountChecks(accounts: Accounts, onError: (error: unknown) => void): AccountChecks {
  let told: AccountsError | undefined;
  const tell = (error: unknown) => {
    if (error === told) return;
    if (AccountsError.is(error)) told = error;
    onError(error);
  };
  const whyEnded = async (account: Account): Promise<Ending | undefined> => {
    if (account === accounts.anonymous) return undefined;
    try {
      return (await accounts.isCurrent?.(account)) === false ? 'revoked' : undefined;
    } catch (error) {
      tell(error);
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
        tell(error);
        return 'unavailable';
      }
    },
    whyEnded,
    checkOpened(account, stream) {
      void whyEnded(account).then((reason) => reason && stream.end(reason));
    },
    watch: (onChange) =>
      accounts.watch?.((trouble) => {
        if (trouble !== undefined) tell(trouble);
        onChange();
      }) ?? (() => {}),
  };
}
