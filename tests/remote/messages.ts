import type { Session } from '@proto/core';
import type { WireMessage } from '@proto/core/framing';

/** Creates a text message of the agent. */
export function assistant(text: string, uuid: string = crypto.randomUUID()) {
  const message = {
    id: `msg_${text}`,
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text }],
  };
  return { type: 'assistant', message, parent_tool_use_id: null, uuid };
}

/** Creates a permission request of the agent. */
export function permission(requestId: string) {
  const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_1' };
  return { type: 'control_request', request_id: requestId, request };
}

/** Reads the messages of a session to its end. Returns the messages so far. */
export function readMessages(session: Session): readonly WireMessage[] {
  const messages: WireMessage[] = [];
  void (async () => {
    for await (const item of session) if (item.kind === 'message') messages.push(item.message);
  })().catch(() => {});
  return messages;
}

/** Returns the texts of the agent among messages. */
export function texts(messages: readonly { readonly type: string; readonly [member: string]: unknown }[]): string[] {
  return messages
    .filter(({ type }) => type === 'assistant')
    .map(({ message }) => (message as { content: [{ text: string }] }).content[0].text);
}
