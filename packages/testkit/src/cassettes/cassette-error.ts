/** A cassette cannot be played, or an agent asks for something that the cassette does not have. */
export class CassetteError extends Error {
  /** Always `CassetteError`. */
  override readonly name = 'CassetteError';
  /**
   * `missing-file`: the file does not exist, and CI does not record. `unknown-request`: the agent has sent a request that the tape does not have.
   * `no-permission`: a changed answer does not belong to a permission of the tape.
   */
  readonly code: 'missing-file' | 'unknown-request' | 'no-permission';

  constructor(code: CassetteError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
