import type { Account, Accounts } from '@proto/ingress';
import type { Rights } from '../schedules/remote/world.ts';

/** Accounts that outlive servers and change while servers run. Tokens are looked up without a digest, so that no result depends on the speed of a thread. */
export class SimulatedRights implements Accounts, Rights {
  readonly #accounts = new Map<string, Account>();
  readonly #tokens = new Map<string, string>();
  readonly #watching = new Set<() => void>();
  #made = 0;

  token(name: string, role: 'driver' | 'approver' = 'driver'): string {
    const token = this.#tokens.get(name) ?? `${name}-${++this.#made}`;
    if (!this.#tokens.has(name)) this.#accounts.set(token, { name, role });
    this.#tokens.set(name, token);
    return token;
  }

  revoke(name: string): boolean {
    this.#accounts.delete(this.token(name));
    this.#tokens.delete(name);
    this.#notify();
    return true;
  }

  demote(name: string): boolean {
    this.#accounts.set(this.token(name), { name, role: 'viewer' });
    this.#notify();
    return true;
  }

  async authenticate(token: string): Promise<Account | undefined> {
    return this.#accounts.get(token);
  }

  async isCurrent(account: Account): Promise<boolean> {
    return [...this.#accounts.values()].includes(account);
  }

  watch(onChange: (trouble: undefined) => void): () => void {
    const notify = () => onChange(undefined);
    this.#watching.add(notify);
    return () => this.#watching.delete(notify);
  }

  #notify(): void {
    for (const notify of this.#watching) notify();
  }
}
