import type { SessionOptions } from '@proto/core';
import { parseMessage } from '@proto/core/messages';
import { plain } from '../view/plain.ts';

// An agent may have ever new ways to be wrong.
const MAX_TOLD = 20;

/**
 * Checks each message of an agent, and hands it on as it is, right or wrong: an agent that leaves out what nobody reads still answers. What is
 * wrong is told once for each place of each kind of message, 20 things at most.
 */
export function checkMessages(tell: (text: string) => void): NonNullable<SessionOptions['validate']> {
  const told = new Set<string>();
  return (message) => {
    const parsed = parseMessage(message, { direction: 'from-agent' });
    const issues = parsed.kind === 'invalid' ? parsed.issues : parsed.kind === 'known' ? parsed.dropped : [];
    for (const issue of issues) {
      const place = issue.path.map((key) => (typeof key === 'number' ? '[]' : String(key))).join('.');
      // Names of members are the agent's.
      const text = plain(`a message of the agent, ${message.type}, is not as declared: ${place}: ${issue.message}`);
      if (told.has(text) || told.size >= MAX_TOLD) continue;
      told.add(text);
      tell(text);
    }
    return { message, dropped: [] };
  };
}
