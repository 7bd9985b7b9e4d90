import { readFile, stat } from 'node:fs/promises';
import { type Accounts, AccountsError, createAccounts, parseAccounts } from '../auth/accounts.ts';

const LOOK_EVERY_MS = 1000;
/**
 * How many times a bad file is read before it counts as broken, and the milliseconds between two reads. Another program may be writing the file
 * during the first read.
 */
const [TRIES, TRY_AFTER_MS] = [3, 100];
/** A larger file cannot be a list of accounts, and could use up all memory. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Opens accounts in a file, in the format that `parseAccounts` reads. The file is read again every second, so that accounts can be added and removed
 * without a restart. While the file is missing, broken or unreadable, all calls reject with an `AccountsError` that names the file and the reason.
 *
 * @throws the system error if the first read of the file fails, and `TypeError` if the file is not a list of accounts
 */
export async function openAccountsFile(path: string): Promise<Accounts> {
  const file = new AccountsFile(path);
  await file.open();
  return {
    authenticate: async (token) => (await file.latest()).authenticate(token),
    isCurrent: async (account) => (await (await file.latest()).isCurrent?.(account)) !== false,
    watch: (onChange) => file.watch(onChange),
  };
}

/** States: *good* (has accounts) -> *broken* (has trouble) -> good. */
class AccountsFile {
  readonly #path: string;
  readonly #watching = new Set<(trouble: AccountsError | undefined) => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The text of the present accounts. The whole text is compared, because a change may keep the size and all times of the file. */
  #text = '';
  #accounts: Accounts | undefined;
  #trouble: AccountsError | undefined;
  #lookedAt = performance.now();
  #looking: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  open(): Promise<unknown> {
    return this.#read();
  }

  /** The accounts of the file, at most one second old. @throws {AccountsError} while the file is bad. */
  async latest(): Promise<Accounts> {
    if (performance.now() - this.#lookedAt >= LOOK_EVERY_MS) this.#look();
    // Calls made during a check wait for its result.
    await this.#looking;
    if (this.#trouble !== undefined) throw this.#trouble;
    return this.#accounts as Accounts;
  }

  watch(onChange: (trouble: AccountsError | undefined) => void): () => void {
    this.#watching.add(onChange);
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    return () => {
      this.#watching.delete(onChange);
      if (this.#watching.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #look(): void {
    if (this.#looking !== undefined) return;
    this.#lookedAt = performance.now();
    this.#looking = this.#compare().finally(() => (this.#looking = undefined));
  }

  async #compare(): Promise<void> {
    const before = this.#trouble;
    let isNews = false;
    try {
      isNews = await this.#readPatiently();
      this.#trouble = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `${this.#path}: ${reason}: all requests are refused until this file is valid again`;
      // The same error is thrown as long as the file is broken, so that the server reports it once.
      this.#trouble ??= new AccountsError(message, { cause: error });
    }
    if (isNews || before !== this.#trouble) for (const onChange of this.#watching) onChange(this.#trouble);
  }

  async #readPatiently(): Promise<boolean> {
    const tries = this.#trouble === undefined ? TRIES : 1;
    for (let left = tries - 1; left > 0; left--) {
      try {
        return await this.#read();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, TRY_AFTER_MS));
      }
    }
    return this.#read();
  }

  /** Reads the file. Returns whether the text of the file has changed. */
  async #read(): Promise<boolean> {
    const found = await stat(this.#path);
    // Reading a named pipe would wait forever.
    if (!found.isFile()) throw new TypeError('accounts: the path of the accounts file must name a regular file');
    if (found.size > MAX_FILE_BYTES)
      throw new TypeError(`accounts: the accounts file has more than ${MAX_FILE_BYTES} bytes`);
    const text = await readFile(this.#path, 'utf8');
    if (text === this.#text) return false;
    this.#accounts = await createAccounts(parseAccounts(text));
    this.#text = text;
    return true;
  }
}
