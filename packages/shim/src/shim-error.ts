/**
 * Why a shim cannot stand in for an agent. `unsupported-option`: an option of the command line does not work with an agent that runs elsewhere.
 * `no-conversation`: there is nothing to resume. `unreadable-file`: a file that an option names cannot be read.
 */
export type ShimErrorCode = 'unsupported-option' | 'no-conversation' | 'unreadable-file';

/** Thrown where a shim cannot stand in for an agent. Errors of the server are `SessionError` of `@proto/remote`. */
export class ShimError extends Error {
  override readonly name = 'ShimError';
  readonly code: ShimErrorCode;

  constructor(code: ShimErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
