import { createRedactor, type RedactedLine, type Redactor } from '@proto/recording';

const CREDENTIALS = ['x-api-key', 'authorization', 'proxy-authorization', 'cookie'];

/** A redactor that also removes each credential that an earlier request contained, in any form, because an agent may repeat its key in a message. */
export class CredentialRedactor implements Redactor {
  readonly #base: Redactor;
  readonly #seen = new Set<string>();
  #credentials: Redactor | undefined;

  constructor(base: Redactor) {
    this.#base = base;
  }

  learn(headers: Headers): void {
    const before = this.#seen.size;
    for (const name of CREDENTIALS) {
      const value = headers.get(name);
      // `Bearer` and the names of cookies are not secrets.
      for (const part of value?.split(/[\s;]+/) ?? [])
        this.#seen.add(name === 'cookie' ? part.replace(/^[^=]*=/, '') : part);
    }
    for (const scheme of ['Bearer', 'bearer', 'Basic', 'basic']) this.#seen.delete(scheme);
    if (this.#seen.size !== before) this.#credentials = createRedactor({ secrets: [...this.#seen] });
  }

  text(text: string): string {
    return this.#base.text(this.#credentials?.text(text) ?? text);
  }

  line(line: string): RedactedLine {
    if (this.#credentials === undefined) return this.#base.line(line);
    const first = this.#credentials.line(line);
    const second = this.#base.line(first.text);
    return { text: second.text, redacted: [...new Set([...first.redacted, ...second.redacted])] };
  }

  spans(text: string): ReturnType<Redactor['spans']> {
    const spans = [...this.#base.spans(text), ...(this.#credentials?.spans(text) ?? [])];
    return spans.toSorted(([a], [b]) => a - b);
  }
}
