/**
 * What can go wrong with a store:
 * - `full`: no room left; nothing of the write was kept · `failed`: the store cannot be read or written
 * - `closed`: used after its end · `version`: the file was written by a newer version of this package
 * - `not-installed`: the library of the store is missing
 */
export type EventLogErrorCode = 'full' | 'failed' | 'closed' | 'version' | 'not-installed';

const BRAND = Symbol.for('@proto/ingress.EventLogError');

/** A store could not do what it was asked. Match on `code`, never on `message`. */
export class EventLogError extends Error {
  readonly code: EventLogErrorCode;

  constructor(code: EventLogErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'EventLogError';
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** True for an `EventLogError` of any copy of this package. */
  static is(value: unknown): value is EventLogError {
    return Object.hasOwn(Object(value), BRAND);
  }
}
