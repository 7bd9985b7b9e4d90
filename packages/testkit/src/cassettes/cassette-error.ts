/** Thrown where a cassette cannot be played, or an agent asks for what the cassette does not have. */
export class CassetteError extends Error {
  override readonly name = 'CassetteError';
  /** `missing-file`: CI makes no tapes. `unknown-request`: the agent has asked for what the tape does not have. `no-permission`: a changed answer belongs to no permission of the tape. */
  readonly code: 'missing-file' | 'unknown-request' | 'no-permission';

  constructor(code: CassetteError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
