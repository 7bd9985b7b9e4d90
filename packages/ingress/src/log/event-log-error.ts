/**
 * What can go wrong with a store:
 * - `full`: no room left, on the disk or below `maxTotalBytes`; nothing of the write was kept · `failed`: the store cannot be read or written
 * - `in-use`: another server has it open · `read-only`: it was opened for reading only · `closed`: used after its end
 * - `version`: the file was written by another version of this package · `not-installed`: the library of the store is missing
 */
export type EventLogErrorCode = 'full' | 'failed' | 'in-use' | 'read-only' | 'closed' | 'version' | 'not-installed';

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
