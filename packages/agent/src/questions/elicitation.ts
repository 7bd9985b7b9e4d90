import type { PendingRequests } from '@proto/core';
import {
  checkElicitationResult,
  type ElicitationResult,
  schemaOf,
  type SDKControlElicitationRequest,
} from '@proto/core/internal';

const elicitationResult = schemaOf(checkElicitationResult);

/** What a server asks the user, without the `subtype` of its request. */
export type Elicitation = Omit<SDKControlElicitationRequest, 'subtype'>;

/**
 * Puts a question of an MCP server to the user. Never rejects: without a valid answer it is cancelled, which is what a server is
 * told when the user has neither accepted nor declined.
 */
export async function handleElicitation(
  session: Pick<PendingRequests, 'request'>,
  elicitation: Elicitation,
  signal: AbortSignal,
): Promise<ElicitationResult> {
  try {
    const request = { ...elicitation, subtype: 'elicitation' };
    return await session.request(request, { signal, schema: elicitationResult });
  } catch {
    return { action: 'cancel' };
  }
}
