import { cutText } from '@proto/core/framing';
import { askServer, type ServerAccess } from './server-events.ts';

const MAX_PROMPT_LENGTH = 200;
// A prompt is among the first events, after requests from the host.
const EVENTS_READ = 10;
const MAX_AT_ONCE = 5;
const MAX_KEPT = 1000;

/** Reads the first prompts of sessions from the lists of their events. A first prompt does not change, so it is read once. */
export class FirstPrompts {
  readonly #access: ServerAccess;
  readonly #known = new Map<string, string>();

  constructor(access: ServerAccess) {
    this.#access = access;
  }

  /** The prompts of sessions by their ids. Sessions that have no prompt, or whose events cannot be read, are left out. */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const unknown = ids.filter((id) => !this.#known.has(id));
    const readNext = async (): Promise<void> => {
      for (let id = unknown.shift(); id !== undefined; id = unknown.shift()) {
        const prompt = await this.#read(id).catch(() => undefined);
        if (prompt !== undefined) this.#known.set(id, prompt);
      }
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, readNext));
    const found = new Map([...this.#known].filter(([id]) => ids.includes(id)));
    for (const [oldest] of this.#known) if (this.#known.size > MAX_KEPT) this.#known.delete(oldest);
    return found;
  }

  async #read(id: string): Promise<string | undefined> {
    const response = await askServer(this.#access, `/${encodeURIComponent(id)}/events?limit=${EVENTS_READ}`);
    const { data } = Object(await response.json()) as { readonly data?: unknown };
    for (const event of Array.isArray(data) ? data : []) {
      const { type, message } = Object(Object(event).payload) as {
        readonly type?: unknown;
        readonly message?: unknown;
      };
      const text = type === 'user' ? textOf(Object(message).content) : '';
      if (text !== '') return cutText(text, MAX_PROMPT_LENGTH);
    }
    return undefined;
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const texts = Array.isArray(content) ? content.map((part) => Object(part).text) : [];
  return texts.find((text) => typeof text === 'string') ?? '';
}
