import * as z from 'zod/mini';
import { jsonRpcMessage } from '../json-rpc.ts';
import { mcpServerConfigForProcessTransport, mcpServerStatus } from '../mcp-servers.ts';
import { protocol } from '../open.ts';

/** Requests about MCP servers. */
export const mcpRequests = {
  mcp_message: z
    .looseObject({ subtype: z.literal('mcp_message'), server_name: z.string(), message: jsonRpcMessage })
    .register(protocol, {
      id: 'SDKControlMcpMessageRequest',
      description: 'A message of MCP to the server behind the control channel, or from it.',
    }),
  mcp_status: z
    .looseObject({ subtype: z.literal('mcp_status'), liveReply: z.optional(z.boolean()) })
    .register(protocol, { id: 'SDKControlMcpStatusRequest', description: 'Asks how the servers are.' }),
  mcp_call: z
    .looseObject({
      subtype: z.literal('mcp_call'),
      tool: z.string(),
      arguments: z.optional(z.record(z.string(), z.unknown())),
      expires_at: z.optional(z.string()),
      timeout_ms: z.optional(z.number()),
      result_not_for_model: z.optional(z.boolean()),
      check_permissions: z.optional(z.boolean()),
      input_files: z.optional(z.array(z.looseObject({ name: z.string(), lane_path: z.string() }))),
      output_files: z.optional(
        z.array(z.looseObject({ name: z.string(), lane_path: z.string(), if_match: z.optional(z.string()) })),
      ),
    })
    .register(protocol, { id: 'SDKControlMcpCallRequest', description: 'Calls a tool of a server without the model.' }),
  mcp_set_servers: z
    .looseObject({
      subtype: z.literal('mcp_set_servers'),
      servers: z.record(z.string(), mcpServerConfigForProcessTransport),
    })
    .register(protocol, {
      id: 'SDKControlMcpSetServersRequest',
      description: 'Replaces the servers that the host has added.',
    }),
  mcp_reconnect: z
    .looseObject({ subtype: z.literal('mcp_reconnect'), serverName: z.string() })
    .register(protocol, { id: 'SDKControlMcpReconnectRequest', description: 'Connects a server again.' }),
  mcp_toggle: z
    .looseObject({ subtype: z.literal('mcp_toggle'), serverName: z.string(), enabled: z.boolean() })
    .register(protocol, { id: 'SDKControlMcpToggleRequest', description: 'Turns a server on or off.' }),
  mcp_read_resource: z
    .looseObject({ subtype: z.literal('mcp_read_resource'), serverName: z.string(), uri: z.string() })
    .register(protocol, { id: 'SDKControlMcpReadResourceRequest', description: 'Reads a resource of a server.' }),
};

/** The payloads of their answers. */
export const mcpResponses = {
  mcp_message: z.looseObject({ mcp_response: z.optional(jsonRpcMessage) }).register(protocol, {
    id: 'SDKControlMcpMessageResponse',
    description: 'The answer of the server; an agent only acknowledges.',
  }),
  mcp_status: z
    .looseObject({ mcpServers: z.array(mcpServerStatus) })
    .register(protocol, { id: 'SDKControlMcpStatusResponse', description: 'How the servers are.' }),
  mcp_call: z
    .looseObject({
      content: z.optional(z.unknown()),
      structuredContent: z.optional(z.unknown()),
      _meta: z.optional(z.record(z.string(), z.unknown())),
      staging: z.optional(z.unknown()),
    })
    .register(protocol, { id: 'SDKControlMcpCallResponse', description: 'What the tool gave.' }),
  mcp_set_servers: z
    .looseObject({ added: z.array(z.string()), removed: z.array(z.string()), errors: z.record(z.string(), z.string()) })
    .register(protocol, { id: 'McpSetServersResult', description: 'What became of the servers.' }),
  mcp_reconnect: z.looseObject({}),
  mcp_toggle: z.looseObject({}),
  mcp_read_resource: z
    .looseObject({
      contents: z.array(
        z.looseObject({
          uri: z.string(),
          mimeType: z.optional(z.string()),
          text: z.optional(z.string()),
          blob: z.optional(z.string()),
          _meta: z.optional(z.record(z.string(), z.unknown())),
        }),
      ),
    })
    .register(protocol, {
      id: 'SDKControlMcpReadResourceResponse',
      description: 'The resource, as text or as base64.',
    }),
};
