/**
 * Passes each chunk of a body to `take`. Rejects if the client disconnects before the end. If `take` throws, reading ends and the call rejects with
 * that error.
 */
export type BodyChunks = (take: (chunk: Uint8Array) => void) => Promise<void>;

export function chunksOfWeb(body: AsyncIterable<Uint8Array>): BodyChunks {
  return async (take) => {
    for await (const chunk of body) take(chunk);
  };
}

// Invalid UTF-8 would otherwise become characters that the client did not send, even in member names.
const STRICT = { fatal: true };
const whole = new TextDecoder('utf-8', STRICT);

/** The text of a body. Most bodies are one chunk, which is decoded at once: a streaming decoder costs ten times as much. */
export class BodyText {
  #first: Uint8Array | undefined;
  #decoder: TextDecoder | undefined;
  #text = '';

  /** @throws {TypeError} for bytes that are not UTF-8. */
  add(chunk: Uint8Array): void {
    if (this.#decoder === undefined && this.#first === undefined) {
      this.#first = chunk;
      return;
    }
    this.#decoder ??= new TextDecoder('utf-8', STRICT);
    if (this.#first !== undefined) this.#text = this.#decoder.decode(this.#first, { stream: true });
    this.#first = undefined;
    this.#text += this.#decoder.decode(chunk, { stream: true });
  }

  /** The whole text, after the last chunk. @throws {TypeError} for bytes that are not UTF-8. */
  end(): string {
    if (this.#first !== undefined) return whole.decode(this.#first);
    return this.#decoder === undefined ? '' : this.#text + this.#decoder.decode();
  }
}
