const BRAND = Symbol.for('@proto/ingress.AccountsError');

/**
 * Says that nobody can tell now whose a token is, such as while the file of accounts is broken. Whoever asks is refused with 503 and may
 * ask again: nobody is let in, and nobody is sent away for good.
 */
export class AccountsError extends Error {
  readonly code = 'unavailable';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'AccountsError';
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True for an `AccountsError` of any copy of this package. */
  static is(value: unknown): value is AccountsError {
    return Object.hasOwn(Object(value), BRAND);
  }
}
