import { jsonRpcMessage } from '../json-rpc.ts';
import { mcpServerConfigForProcessTransport, mcpServerStatus } from '../mcp-servers.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, literal, number, record, string, unknown } from '../schema.ts';

/** Requests about MCP servers. */
export const mcpRequests = {
  mcp_message: lazy(() => object({ subtype: literal('mcp_message'), server_name: string, message: jsonRpcMessage })),
  mcp_status: lazy(() => object({ subtype: literal('mcp_status'), liveReply: optional(boolean) })),
  mcp_call: lazy(() =>
    object({
      subtype: literal('mcp_call'),
      tool: string,
      arguments: optional(record(unknown)),
      expires_at: optional(string),
      timeout_ms: optional(number),
      result_not_for_model: optional(boolean),
      check_permissions: optional(boolean),
      input_files: optional(array(object({ name: string, lane_path: string }))),
      output_files: optional(array(object({ name: string, lane_path: string, if_match: optional(string) }))),
    }),
  ),
  mcp_set_servers: lazy(() =>
    object({
      subtype: literal('mcp_set_servers'),
      servers: record(mcpServerConfigForProcessTransport),
    }),
  ),
  mcp_reconnect: lazy(() => object({ subtype: literal('mcp_reconnect'), serverName: string })),
  mcp_toggle: lazy(() => object({ subtype: literal('mcp_toggle'), serverName: string, enabled: boolean })),
  mcp_read_resource: lazy(() => object({ subtype: literal('mcp_read_resource'), serverName: string, uri: string })),
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
  mcp_message: lazy(() => object({ mcp_response: optional(jsonRpcMessage) })),
  mcp_status: lazy(() => object({ mcpServers: array(mcpServerStatus) })),
  mcp_call: lazy(() =>
    object({
      content: optional(unknown),
      structuredContent: optional(unknown),
      _meta: optional(record(unknown)),
      staging: optional(unknown),
    }),
  ),
  mcp_set_servers: lazy(() => object({ added: array(string), removed: array(string), errors: record(string) })),
  mcp_reconnect: lazy(() => object({})),
  mcp_toggle: lazy(() => object({})),
  mcp_read_resource: lazy(() =>
    object({
      contents: array(
        object({
          uri: string,
          mimeType: optional(string),
          text: optional(string),
          blob: optional(string),
          _meta: optional(record(unknown)),
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
