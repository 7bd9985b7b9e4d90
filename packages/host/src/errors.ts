import { ControlError, ProtocolError, type SessionMalformed } from '@proto/core';
import { type Checked, issueText } from '@proto/core/internal';
import { findError } from '@proto/core/transport';

/** Thrown if the agent does not report a capability that a request needs. The request was not sent. The `code` is `unsupported_capability`. */
export class UnsupportedCapabilityError extends ControlError {
  /** The name of the missing capability, as agents list it. */
  readonly capability: string;
  /** The first version of the published agent that has the capability. */
  readonly since: string;

  constructor({ subtype, capability, since }: { subtype: string; capability: string; since: string }) {
    const text = `the agent does not support ${capability}; agents support it from version ${since}`;
    super(text, { subtype, code: 'unsupported_capability' });
    this.capability = capability;
    this.since = since;
  }

  /** True if a value is an error of this class, even one from another copy of this package. */
  static override is(value: unknown): value is UnsupportedCapabilityError {
    return ControlError.is(value) && 'capability' in value;
  }

  /** Returns the first `UnsupportedCapabilityError` among the given error and its chain of causes. Checks at most 100 causes. */
  static override find(error: unknown): UnsupportedCapabilityError | undefined {
    return findError(error, UnsupportedCapabilityError.is);
  }
}

/** Thrown if the agent wrote a line that is not a message, or a message of the wrong shape. The `code` is `invalid-message`. */
export class InvalidMessageError extends ProtocolError {
  // Private, so that logging the error does not reveal the text of the line.
  readonly #line: string;

  /** @internal */
  constructor({ error: cause, excerpt }: SessionMalformed, line: string = excerpt) {
    super('invalid-message', cause.message, { cause, issues: ProtocolError.is(cause) ? cause.issues : [] });
    this.#line = line;
  }

  /** The whole line, or only its beginning if the line was longer than the transport's limit. The text may contain secrets. */
  get line(): string {
    return this.#line;
  }

  /** True if a value is an error of this class, even one from another copy of this package. */
  static override is(value: unknown): value is InvalidMessageError {
    return ProtocolError.is(value) && 'line' in value;
  }

  /** Returns the first `InvalidMessageError` among the given error and its chain of causes. Checks at most 100 causes. */
  static override find(error: unknown): InvalidMessageError | undefined {
    return findError(error, InvalidMessageError.is);
  }
}

/** `what` names the value in the error message. */
export function assertValid<T>(what: string, { value, issues }: Checked<T>): T {
  if (issues === undefined) return value;
  throw new ProtocolError('invalid-message', [`invalid ${what}`, ...issues.map(issueText)].join(': '), { issues });
}
