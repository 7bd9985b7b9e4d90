/** Thrown if a cassette cannot be played, or if an agent sends a request that the cassette does not contain. */
export class CassetteError extends Error {
  /** Always `CassetteError`. */
  override readonly name = 'CassetteError';
  /**
   * The reason: `missing-file` if the file does not exist and `CI` is set, `unknown-request` if the agent sent a request that the tape does not
   * contain, `no-permission` if a changed answer does not belong to a permission request on the tape.
   */
  readonly code: 'missing-file' | 'unknown-request' | 'no-permission';

  constructor(code: CassetteError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
