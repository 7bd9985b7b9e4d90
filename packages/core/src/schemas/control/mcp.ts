import * as z from 'zod/mini';
import { mcpServerConfigForProcessTransport, mcpServerStatus } from '../mcp-servers.ts';
import { openObject, protocol, requestOf } from '../open.ts';

export const jsonRpcMessage = openObject({
  jsonrpc: z.literal('2.0'),
  id: z.optional(z.nullable(z.union([z.string(), z.number()]))).check(z.describe('Ties an answer to its request; absent in a notification.')),
  method: z.optional(z.string()).check(z.describe('What a request asks or a notification tells; absent in an answer.')),
  params: z.optional(z.record(z.string(), z.unknown())),
  result: z.optional(z.record(z.string(), z.unknown())).check(z.describe('Makes the message the answer to a request that succeeded.')),
  error: z
    .optional(openObject({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) }))
    .check(z.describe('Makes the message the answer to a request that failed.')),
}).register(protocol, {
  id: 'JSONRPCMessage',
  description:
    'A message of MCP, in either direction. One type for requests, notifications and answers: hosts exist that acknowledge a notification with a result that has no id.',
});

const outputFile = openObject({
  name: z.string(),
  lane_path: z.string(),
  if_match: z.optional(z.string()).check(z.describe('The state that the file must still be in; otherwise it is not written.')),
});

/** Requests about MCP servers. */
export const mcpRequests = {
  mcp_message: requestOf('mcp_message', {
    server_name: z.string().check(z.describe('The server within the host that the message is for, or comes from.')),
    message: jsonRpcMessage.check(z.describe('A JSON-RPC message: for the server when the agent sends it, from the server when the host does.')),
  }).register(protocol, { id: 'SDKControlMcpMessageRequest', description: 'A message of MCP to the server behind the control channel, or from it.' }),
  mcp_status: requestOf('mcp_status', { liveReply: z.optional(z.boolean()).check(z.describe('Matters in remote sessions only.')) }).register(protocol, {
    id: 'SDKControlMcpStatusRequest',
    description: 'Asks how the servers are.',
  }),
  mcp_call: requestOf('mcp_call', {
    tool: z.string().check(z.describe('The full name of the tool, `mcp__SERVER__TOOL`.')),
    arguments: z
      .optional(z.record(z.string(), z.unknown()))
      .check(z.describe('The input of the tool, in which `{{in:NAME}}` and `{{out:NAME}}` stand for files of `input_files` and `output_files`.')),
    expires_at: z.optional(z.string()).check(z.describe('When the call expires, an RFC 3339 time; required with `output_files`.')),
    timeout_ms: z.optional(z.number()).check(z.describe('How long the call may take: 1000 to 600000 ms, 120000 where it is absent.')),
    result_not_for_model: z
      .optional(z.boolean())
      .check(z.describe('With true the blocks of the result come as the server gave them, and more than 10485760 characters are an error.')),
    check_permissions: z
      .optional(z.boolean())
      .check(z.describe('With true the call is judged as one of the model would be, if need be by `can_use_tool`; otherwise it is trusted.')),
    input_files: z.optional(z.array(openObject({ name: z.string(), lane_path: z.string() }))).check(z.describe('Files that the tool reads.')),
    output_files: z.optional(z.array(outputFile)).check(z.describe('Files that the tool writes.')),
  }).register(protocol, { id: 'SDKControlMcpCallRequest', description: 'Calls a tool of a server without the model.' }),
  mcp_set_servers: requestOf('mcp_set_servers', {
    servers: z
      .record(z.string(), mcpServerConfigForProcessTransport)
      .check(z.describe('All servers that the host adds, by name; those it added before and does not name here are removed.')),
  }).register(protocol, { id: 'SDKControlMcpSetServersRequest', description: 'Replaces the servers that the host has added.' }),
  mcp_reconnect: requestOf('mcp_reconnect', { serverName: z.string() }).register(protocol, {
    id: 'SDKControlMcpReconnectRequest',
    description: 'Connects a server again.',
  }),
  mcp_toggle: requestOf('mcp_toggle', { serverName: z.string(), enabled: z.boolean() }).register(protocol, {
    id: 'SDKControlMcpToggleRequest',
    description: 'Turns a server on or off.',
  }),
  mcp_read_resource: requestOf('mcp_read_resource', {
    serverName: z.string(),
    uri: z.string().check(z.describe('The resource; only URIs that begin with `ui://` are served.')),
  }).register(protocol, { id: 'SDKControlMcpReadResourceRequest', description: 'Reads a resource of a server.' }),
};

const resourceContent = openObject({
  uri: z.string(),
  mimeType: z.optional(z.string()),
  text: z.optional(z.string()).check(z.describe('The content, where it is text.')),
  blob: z.optional(z.string()).check(z.describe('The content in base64, where it is not text.')),
  _meta: z.optional(z.record(z.string(), z.unknown())),
});

/** The payloads of their answers. */
export const mcpResponses = {
  mcp_message: openObject({
    mcp_response: z.optional(jsonRpcMessage).check(z.describe('The JSON-RPC answer, with an empty result to a notification; absent where an agent answers.')),
  }).register(protocol, { id: 'SDKControlMcpMessageResponse', description: 'The answer of the server; an agent only acknowledges.' }),
  mcp_status: openObject({ mcpServers: z.array(mcpServerStatus) }).register(protocol, {
    id: 'SDKControlMcpStatusResponse',
    description: 'How the servers are.',
  }),
  mcp_call: openObject({
    content: z.optional(z.unknown()).check(z.describe('The content blocks of the result.')),
    structuredContent: z.optional(z.unknown()).check(z.describe('The result as JSON, where the tool gives it so too.')),
    _meta: z.optional(z.record(z.string(), z.unknown())),
    staging: z.optional(z.unknown()),
  }).register(protocol, { id: 'SDKControlMcpCallResponse', description: 'What the tool gave.' }),
  mcp_set_servers: openObject({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    errors: z.record(z.string(), z.string()).check(z.describe('The servers that could not be added, by name, each with the reason.')),
  }).register(protocol, { id: 'McpSetServersResult', description: 'What became of the servers.' }),
  mcp_reconnect: openObject({}),
  mcp_toggle: openObject({}),
  mcp_read_resource: openObject({ contents: z.array(resourceContent) }).register(protocol, {
    id: 'SDKControlMcpReadResourceResponse',
    description: 'The resource, as text or as base64.',
  }),
};
