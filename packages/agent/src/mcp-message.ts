import type { PendingRequests, RequestOptions } from '@proto/core';
import { checkMcpAnswer, type JSONRPCMessage, schemaOf } from '@proto/core/internal';

// Whatever it answers is for the MCP client, which knows what it has asked.
const mcpAnswer = schemaOf(checkMcpAnswer);

/**
 * Sends a message of MCP to a server that lives in the host, and gives the server's answer. Hosts acknowledge a notification with
 * an empty result, or with none.
 */
export async function sendMcpMessage(
  session: Pick<PendingRequests, 'request'>,
  server: string,
  message: JSONRPCMessage,
  options: Pick<RequestOptions, 'signal' | 'timeoutMs'> = {},
): Promise<JSONRPCMessage | undefined> {
  const request = { subtype: 'mcp_message', server_name: server, message };
  const answer = await session.request(request, { ...options, schema: mcpAnswer });
  return answer.mcp_response;
}
