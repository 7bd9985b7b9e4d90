import type { SessionOptions } from '@proto/core';
import { parseMessage } from '@proto/core/messages';
import { plain } from '../view/terminal-text.ts';

// An agent may send new kinds of invalid messages without end.
const MAX_REPORTS = 20;

/**
 * Checks each message of an agent, and passes on every message unchanged, because an agent that breaks the schema may still answer. `onProblem` is
 * called once for each invalid member of each kind of message, at most 20 times.
 */
export function checkMessages(onProblem: (text: string) => void): NonNullable<SessionOptions['validate']> {
  const reported = new Set<string>();
  return (message) => {
    const parsed = parseMessage(message, { direction: 'from-agent' });
    const issues = parsed.kind === 'invalid' ? parsed.issues : parsed.kind === 'known' ? parsed.dropped : [];
    for (const issue of issues) {
      const place = issue.path.map((key) => (typeof key === 'number' ? '[]' : String(key))).join('.');
      // The agent chooses the names of members, so they may contain characters that control a terminal.
      const text = plain(
        `a message from the agent (${message.type}) does not match its schema: ${place}: ${issue.message}`,
      );
      if (reported.has(text) || reported.size >= MAX_REPORTS) continue;
      reported.add(text);
      onProblem(text);
    }
    return { message, dropped: [] };
  };
}
