import { createSession, type RequestHandler } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';
import { runAgent } from '@proto/agent';
import { createMemoryPair } from '@proto/core/transport';
import { createReferenceAgent, type ReferenceAgentOptions } from './index.ts';
import type { Said } from './turn.test-support.ts';

/** A host and the reference agent over the memory pair. */
export function hosted(
  options: ReferenceAgentOptions = {},
  handlers: Readonly<Record<string, RequestHandler>> = {},
  isPartial = false,
) {
  const { host, agent } = createMemoryPair();
  const { permissionPromptTool = 'stdio', permissionMode = 'default' } = options;
  const reference = createReferenceAgent({ permissionPromptTool, includePartialMessages: isPartial, ...options });
  const outcome = runAgent(agent, {
    ...reference,
    permissions: { ...reference.permissions, mode: permissionMode, promptTool: permissionPromptTool },
    output: { partialMessages: isPartial },
  });
  const session = createSession(host, { handlers });
  const items = session[Symbol.asyncIterator]();
  /** Reads messages of the agent up to and including the first match; all messages if none matches. */
  async function until(matches: (message: Said) => boolean): Promise<readonly Said[]> {
    const messages: Said[] = [];
    for (let next = await items.next(); next.done !== true; next = await items.next()) {
      if (next.value.kind !== 'message') continue;
      messages.push(next.value.message);
      if (matches(next.value.message)) break;
    }
    return messages;
  }
  const prompt = (content: string, members: object = {}) =>
    session.emit({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, ...members });
  return {
    session,
    outcome,
    until,
    prompt,
    /** Sends a prompt, and returns all messages of its turn. */
    async turn(content: string, members: object = {}) {
      await prompt(content, members);
      return until(({ type }) => type === 'result');
    },
    /** Ends the input, and returns all remaining messages of the agent. */
    async rest() {
      await session.end();
      return until(() => false);
    },
  };
}

export const kinds = (messages: readonly WireMessage[]) =>
  messages.map(({ type, subtype }) => (typeof subtype === 'string' ? `${type}/${subtype}` : type));
