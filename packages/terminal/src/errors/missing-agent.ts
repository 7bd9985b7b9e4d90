import { AgentNotFoundError } from '@proto/transport-stdio';
import type { ErrorReport } from './error-line.ts';

/** What an error says for people in one line, and for programs in full, where it is that there is no such agent; undefined for another one. */
export function missingAgent(error: unknown): (ErrorReport & { readonly text: string }) | undefined {
  const missing = AgentNotFoundError.find(error);
  if (missing === undefined) return undefined;
  const { code, hint, searched } = missing;
  const message = missing.message.replace(/^stdio: /, '');
  const places = searched.length > 1 ? ` (--json lists the ${searched.length} places that were searched)` : '';
  return { code, message, hint, data: { searched }, text: `${message}${places}` };
}
