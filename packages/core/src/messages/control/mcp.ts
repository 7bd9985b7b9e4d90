import * as z from 'zod/mini';
import { jsonRpcMessage } from '../json-rpc.ts';
import { mcpServerConfigForProcessTransport, mcpServerStatus } from '../mcp-servers.ts';
import { type Infer, lazy, object, optional } from '../schema.ts';

/** Requests about MCP servers. */
export const mcpRequests = {
  mcp_message: lazy(() =>
    object({ subtype: z.literal('mcp_message'), server_name: z.string(), message: jsonRpcMessage() }),
  ),
  mcp_status: lazy(() => object({ subtype: z.literal('mcp_status'), liveReply: optional(z.boolean()) })),
  mcp_call: lazy(() =>
    object({
      subtype: z.literal('mcp_call'),
      tool: z.string(),
      arguments: optional(z.record(z.string(), z.unknown())),
      expires_at: optional(z.string()),
      timeout_ms: optional(z.number()),
      result_not_for_model: optional(z.boolean()),
      check_permissions: optional(z.boolean()),
      input_files: optional(z.array(object({ name: z.string(), lane_path: z.string() }))),
      output_files: optional(
        z.array(object({ name: z.string(), lane_path: z.string(), if_match: optional(z.string()) })),
      ),
    }),
  ),
  mcp_set_servers: lazy(() =>
    object({
      subtype: z.literal('mcp_set_servers'),
      servers: z.record(z.string(), mcpServerConfigForProcessTransport()),
    }),
  ),
  mcp_reconnect: lazy(() => object({ subtype: z.literal('mcp_reconnect'), serverName: z.string() })),
  mcp_toggle: lazy(() => object({ subtype: z.literal('mcp_toggle'), serverName: z.string(), enabled: z.boolean() })),
  mcp_read_resource: lazy(() =>
    object({ subtype: z.literal('mcp_read_resource'), serverName: z.string(), uri: z.string() }),
  ),
};

/** A message of MCP to the server behind the control channel, or from it. */
export type SDKControlMcpMessageRequest = Infer<typeof mcpRequests.mcp_message>;

/** Asks how the servers are. */
export type SDKControlMcpStatusRequest = Infer<typeof mcpRequests.mcp_status>;

/** Calls a tool of a server without the model. */
export type SDKControlMcpCallRequest = Infer<typeof mcpRequests.mcp_call>;

/** Replaces the servers that the host has added. */
export type SDKControlMcpSetServersRequest = Infer<typeof mcpRequests.mcp_set_servers>;

/** Connects a server again. */
export type SDKControlMcpReconnectRequest = Infer<typeof mcpRequests.mcp_reconnect>;

/** Turns a server on or off. */
export type SDKControlMcpToggleRequest = Infer<typeof mcpRequests.mcp_toggle>;

/** Reads a resource of a server. */
export type SDKControlMcpReadResourceRequest = Infer<typeof mcpRequests.mcp_read_resource>;

/** The payloads of their answers. */
export const mcpResponses = {
  mcp_message: lazy(() => object({ mcp_response: optional(jsonRpcMessage()) })),
  mcp_status: lazy(() => object({ mcpServers: z.array(mcpServerStatus()) })),
  mcp_call: lazy(() =>
    object({
      content: optional(z.unknown()),
      structuredContent: optional(z.unknown()),
      _meta: optional(z.record(z.string(), z.unknown())),
      staging: optional(z.unknown()),
    }),
  ),
  mcp_set_servers: lazy(() =>
    object({ added: z.array(z.string()), removed: z.array(z.string()), errors: z.record(z.string(), z.string()) }),
  ),
  mcp_reconnect: lazy(() => object({})),
  mcp_toggle: lazy(() => object({})),
  mcp_read_resource: lazy(() =>
    object({
      contents: z.array(
        object({
          uri: z.string(),
          mimeType: optional(z.string()),
          text: optional(z.string()),
          blob: optional(z.string()),
          _meta: optional(z.record(z.string(), z.unknown())),
        }),
      ),
    }),
  ),
};

/** The answer of the server; an agent only acknowledges. */
export type SDKControlMcpMessageResponse = Infer<typeof mcpResponses.mcp_message>;

/** How the servers are. */
export type SDKControlMcpStatusResponse = Infer<typeof mcpResponses.mcp_status>;

/** What the tool gave. */
export type SDKControlMcpCallResponse = Infer<typeof mcpResponses.mcp_call>;

/** What became of the servers. */
export type McpSetServersResult = Infer<typeof mcpResponses.mcp_set_servers>;

/** The resource, as text or as base64. */
export type SDKControlMcpReadResourceResponse = Infer<typeof mcpResponses.mcp_read_resource>;
