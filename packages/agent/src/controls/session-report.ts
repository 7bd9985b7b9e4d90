import type { WireMessage } from '@proto/core/framing';
import { isRecord } from '@proto/core/internal';
import type { AgentWire } from '../agent-wire.ts';
import type { Conversation } from '../transcript/conversation.ts';
import type { SettingsChanges } from './settings-changes.ts';

/** Serves the requests for the status of the session, and for the conversation as text. */
export function installSessionReport(wire: AgentWire, settings: SettingsChanges, conversation: Conversation): void {
  const { options, sessionId } = wire;
  wire.serve({
    get_status() {
      const { claude_code_version: version, cwd } = options.initMessage?.() ?? {};
      const { model, permissionMode } = settings.current;
      return {
        sections: [
          { title: 'Session', rows: rowsOf({ Version: version, 'Session ID': sessionId, cwd }) },
          { title: 'Environment', rows: rowsOf({ Model: model, 'Permission mode': permissionMode }) },
        ],
      };
    },
    export_conversation: () => ({
      text: conversation.messages.map(textOfMessage).join(''),
      default_filename: `conversation-${sessionId}.txt`,
    }),
  });
}

function rowsOf(values: Readonly<Record<string, unknown>>): readonly object[] {
  return Object.entries(values).flatMap(([label, value]) => (typeof value === 'string' ? { label, value } : []));
}

/** Each line written by the user begins with `> `. Tool results are left out. */
function textOfMessage({ type, message }: WireMessage): string {
  const content = isRecord(message) ? message['content'] : undefined;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const paragraphs = blocks.filter(isRecord).flatMap(({ type: kind, text, name, input }) => {
    if (kind === 'tool_use') return `[${String(name)} ${JSON.stringify(input)}]`;
    if (kind !== 'text' || typeof text !== 'string') return [];
    return type === 'user' ? text.replace(/^/gm, '> ') : text;
  });
  return paragraphs.map((paragraph) => `${paragraph}\n\n`).join('');
}
