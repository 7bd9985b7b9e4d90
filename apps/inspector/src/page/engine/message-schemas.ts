import { parseMessage } from '@proto/core/messages';
import type { Direction } from '@proto/recording';
import type { Frame } from '@proto/recording/timeline';
import type { Schema } from './explain-message.ts';

/** The schemas of the messages of each side. */
export type MessageSchemas = Readonly<Record<Direction, Schema>>;

/** Why the schemas refuse a message, or a member of it. */
export function issuesOf({ dir, check }: Frame, message: unknown): readonly string[] {
  if (dir === undefined || message === undefined || check === 'known' || check === 'unknown') return [];
  const parsed = parseMessage(message, { direction: dir });
  const issues = parsed.kind === 'invalid' ? parsed.issues : parsed.kind === 'known' ? parsed.dropped : [];
  return issues.slice(0, 20).map((issue) => `${issue.path.join('.') || 'message'}: ${issue.message}`);
}

/** Requests the schemas with their descriptions from the server. */
export async function loadSchemas(): Promise<MessageSchemas> {
  const response = await fetch(new URL('/ui/schemas', self.origin));
  if (!response.ok) throw new Error('the descriptions in the schemas cannot be read');
  return (await response.json()) as MessageSchemas;
}
