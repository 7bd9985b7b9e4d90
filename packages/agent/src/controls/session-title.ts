import type { AgentWire } from '../agent-wire.ts';
import type { Conversation } from '../transcript/conversation.ts';
import type { SessionTitle } from '../transcript/session-mirror.ts';
import { textMember } from './control-members.ts';

/** The maximum length in characters of a title that is taken from the first line of a prompt. A longer line is cut after a word. */
const MAX_TITLE_LENGTH = 60;

export class SessionTitles {
  readonly #wire: AgentWire;
  readonly #conversation: Pick<Conversation, 'setTitle'>;
  #current: SessionTitle | undefined;

  constructor(wire: AgentWire, conversation: Pick<Conversation, 'setTitle'>) {
    this.#wire = wire;
    this.#conversation = conversation;
    wire.serve({
      generate_session_title: async (request, { signal }) => ({
        title: await this.#generate(textMember(request, 'description'), request['persist'] === true, signal),
      }),
    });
  }

  rename(title: string, source: unknown): void {
    this.#store({ title, source: 'user' });
    this.#wire.send({ type: 'system', subtype: 'session_title_changed', title, source });
  }

  async #generate(description: string, persist: boolean, signal: AbortSignal): Promise<string | null> {
    const { generateTitle = titleOf } = this.#wire.options.session ?? {};
    const generated = this.#current?.source === 'user' ? null : await generateTitle(description, { signal });
    // The user may have renamed the session while the agent was generating a title.
    if (this.#current?.source === 'user') return this.#current.title;
    if (generated !== null && persist) this.#store({ title: generated, source: 'agent' });
    return generated;
  }

  #store(title: SessionTitle): void {
    this.#current = title;
    this.#conversation.setTitle(title);
  }
}

/** The first line that contains text, or `null` if there is none. */
function titleOf(description: string): string | null {
  const line = description.split('\n').find((text) => text.trim() !== '');
  if (line === undefined) return null;
  const characters = Array.from(line.trim().replace(/\s+/g, ' '));
  if (characters.length <= MAX_TITLE_LENGTH) return characters.join('');
  const start = characters.slice(0, MAX_TITLE_LENGTH);
  const end = start.lastIndexOf(' ');
  return `${start.slice(0, end > 0 ? end : -1).join('')}…`;
}
