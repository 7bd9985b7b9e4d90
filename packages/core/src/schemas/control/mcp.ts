import * as z from 'zod/mini';
import { mcpServerConfigForProcessTransport, mcpServerStatus } from '../mcp-servers.ts';
import { openObject, protocol, requestOf } from '../open.ts';

export const jsonRpcMessage = openObject({
  jsonrpc: z.literal('2.0'),
  id: z.optional(z.nullable(z.union([z.string(), z.number()]))).check(z.describe('The id of a request, repeated in its answer. Absent in a notification.')),
  method: z.optional(z.string()).check(z.describe('The name of the method that a request or a notification calls. Absent in an answer.')),
  params: z.optional(z.record(z.string(), z.unknown())),
  result: z.optional(z.record(z.string(), z.unknown())).check(z.describe('The result of the request. Present only in the answer to a request that succeeded.')),
  error: z
    .optional(openObject({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) }))
    .check(z.describe('The error. Present only in the answer to a request that failed.')),
}).register(protocol, {
  id: 'JSONRPCMessage',
  description:
    'A JSON-RPC message of MCP, in either direction: a request, a notification or an answer. These kinds share one type, because some hosts acknowledge a notification with a result that has no id.',
});

const outputFile = openObject({
  name: z.string(),
  lane_path: z.string(),
  if_match: z.optional(z.string()).check(z.describe('The expected state of the file. If the actual state differs, the file is not written.')),
});

/** Requests about MCP servers. */
export const mcpRequests = {
  mcp_message: requestOf('mcp_message', {
    server_name: z.string().check(z.describe('The MCP server inside the host program that receives or sent the message.')),
    message: jsonRpcMessage.check(
      z.describe('A JSON-RPC message. In a request from the agent, the message is sent to the server. In a request from the host, it comes from the server.'),
    ),
  }).register(protocol, { id: 'SDKControlMcpMessageRequest', description: 'Contains an MCP message to or from an MCP server inside the host program.' }),
  mcp_status: requestOf('mcp_status', { liveReply: z.optional(z.boolean()).check(z.describe('This member has an effect only in remote sessions.')) }).register(
    protocol,
    { id: 'SDKControlMcpStatusRequest', description: 'Asks for the state of all MCP servers.' },
  ),
  mcp_call: requestOf('mcp_call', {
    tool: z.string().check(z.describe('The full name of the tool, `mcp__SERVER__TOOL`.')),
    arguments: z
      .optional(z.record(z.string(), z.unknown()))
      .check(
        z.describe(
          'The input of the tool. In the strings of the input, `{{in:NAME}}` and `{{out:NAME}}` stand for the files in `input_files` and `output_files`.',
        ),
      ),
    expires_at: z.optional(z.string()).check(z.describe('When the call expires, as an RFC 3339 time. Required with `output_files`.')),
    timeout_ms: z.optional(z.number()).check(z.describe('How long the call may take, in milliseconds, from 1000 to 600000. Default 120000.')),
    result_not_for_model: z
      .optional(z.boolean())
      .check(z.describe('If true, the blocks of the result are sent unchanged, and a result of more than 10485760 characters is an error.')),
    check_permissions: z
      .optional(z.boolean())
      .check(
        z.describe(
          'If true, the call needs the same permission as a call made by the model, and the agent may ask with `can_use_tool`. Otherwise the call is allowed.',
        ),
      ),
    soft_error_result: z
      .optional(z.boolean())
      .check(
        z.describe(
          'If true and the tool returns an error, the agent sends a success response that contains `isError`, instead of an error response. Agents without `mcp_call_soft_error_result_v1` ignore this member.',
        ),
      ),
    input_files: z.optional(z.array(openObject({ name: z.string(), lane_path: z.string() }))).check(z.describe('Files that the tool reads.')),
    output_files: z.optional(z.array(outputFile)).check(z.describe('Files that the tool writes.')),
  }).register(protocol, { id: 'SDKControlMcpCallRequest', description: 'Calls a tool of an MCP server without involving the model.' }),
  mcp_set_servers: requestOf('mcp_set_servers', {
    servers: z
      .record(z.string(), mcpServerConfigForProcessTransport)
      .check(z.describe('All MCP servers that the host adds, by name. Servers that the host added earlier are removed if this list does not contain them.')),
  }).register(protocol, { id: 'SDKControlMcpSetServersRequest', description: 'Replaces the MCP servers that the host has added.' }),
  mcp_reconnect: requestOf('mcp_reconnect', { serverName: z.string() }).register(protocol, {
    id: 'SDKControlMcpReconnectRequest',
    description: 'Reconnects an MCP server.',
  }),
  mcp_toggle: requestOf('mcp_toggle', { serverName: z.string(), enabled: z.boolean() }).register(protocol, {
    id: 'SDKControlMcpToggleRequest',
    description: 'Enables or disables an MCP server.',
  }),
  mcp_read_resource: requestOf('mcp_read_resource', {
    serverName: z.string(),
    uri: z.string().check(z.describe('The URI of the resource. Agents serve only URIs that begin with `ui://`.')),
  }).register(protocol, { id: 'SDKControlMcpReadResourceRequest', description: 'Reads a resource of an MCP server.' }),
};

const resourceContent = openObject({
  uri: z.string(),
  mimeType: z.optional(z.string()),
  text: z.optional(z.string()).check(z.describe('The content of the resource, if it is text.')),
  blob: z.optional(z.string()).check(z.describe('The content of the resource in base64, if it is not text.')),
  _meta: z.optional(z.record(z.string(), z.unknown())),
});

/** The payloads of the answers to these requests. */
export const mcpResponses = {
  mcp_message: openObject({
    mcp_response: z
      .optional(jsonRpcMessage)
      .check(z.describe("The server's JSON-RPC answer. The answer to a notification has an empty result. Absent in a response from an agent.")),
  }).register(protocol, {
    id: 'SDKControlMcpMessageResponse',
    description: "The response to an MCP message. A host's response contains the answer of the MCP server. An agent's response is only an acknowledgement.",
  }),
  mcp_status: openObject({ mcpServers: z.array(mcpServerStatus) }).register(protocol, {
    id: 'SDKControlMcpStatusResponse',
    description: 'The state of all MCP servers.',
  }),
  mcp_call: openObject({
    content: z.optional(z.unknown()).check(z.describe('The content blocks of the result.')),
    isError: z.optional(z.boolean()).check(z.describe('True if the tool returned an error. Only in answers to requests with `soft_error_result`.')),
    structuredContent: z.optional(z.unknown()).check(z.describe('The result as JSON, if the tool also returned JSON.')),
    _meta: z.optional(z.record(z.string(), z.unknown())),
    staging: z.optional(z.unknown()),
  }).register(protocol, { id: 'SDKControlMcpCallResponse', description: 'The output of the tool.' }),
  mcp_set_servers: openObject({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    errors: z.record(z.string(), z.string()).check(z.describe('The servers that could not be added, by name, each with the reason as text.')),
  }).register(protocol, { id: 'McpSetServersResult', description: 'The servers that were added, were removed, or could not be added.' }),
  mcp_reconnect: openObject({}),
  mcp_toggle: openObject({}),
  mcp_read_resource: openObject({ contents: z.array(resourceContent) }).register(protocol, {
    id: 'SDKControlMcpReadResourceResponse',
    description: 'The resource, as text or as base64.',
  }),
};
