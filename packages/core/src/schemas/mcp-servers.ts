import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from './open.ts';

export const mcpServerToolPolicy = openObject({
  name: z.string(),
  permission_policy: z.optional(openEnum(['always_allow', 'always_ask', 'always_deny'])),
  org_max_permission: z.optional(openEnum(['allow', 'ask', 'blocked'])),
}).register(protocol, { id: 'McpServerToolPolicy', description: 'The permission policy of one tool of an MCP server.' });

export const toolTimeout = z
  .optional(z.number())
  .check(
    z.describe(
      'How long a tool call may take, in milliseconds. Values below 1000 are ignored. Default: the environment variable `MCP_TOOL_TIMEOUT`, or no limit if the variable is not set.',
    ),
  );
const alwaysLoad = z
  .optional(z.boolean())
  .check(z.describe('If true, the tools of the server are offered to the model from the start. Otherwise the model may have to search for them.'));
const remote = {
  url: z.string(),
  headers: z.optional(z.record(z.string(), z.string())),
  tools: z.optional(z.array(mcpServerToolPolicy)),
  timeout: toolTimeout,
  alwaysLoad,
};

export const mcpStdioServerConfig = openObject({
  type: z.optional(z.literal('stdio')),
  command: z.string().check(z.describe('The executable, which the agent starts as a child process with the arguments in `args`.')),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  timeout: toolTimeout,
  alwaysLoad,
}).register(protocol, {
  id: 'McpStdioServerConfig',
  description: 'An MCP server that runs as a child process of the agent. This is the default kind, so `type` may be absent.',
});

export const mcpSSEServerConfig = openObject({ type: z.literal('sse'), ...remote }).register(protocol, {
  id: 'McpSSEServerConfig',
  description: 'An MCP server that is reached over server-sent events.',
});

export const mcpHttpServerConfig = openObject({ type: z.literal('http'), ...remote }).register(protocol, {
  id: 'McpHttpServerConfig',
  description: 'An MCP server that is reached over streamable HTTP.',
});

export const mcpSdkServerConfig = openObject({
  type: z.literal('sdk'),
  name: z.string().check(z.describe('The name of the server, which `mcp_message` requests use as `server_name`.')),
  timeout: toolTimeout,
  tools: z.optional(z.array(mcpServerToolPolicy)),
}).register(protocol, { id: 'McpSdkServerConfig', description: 'An MCP server inside the host program, which the agent reaches with control requests.' });

export const mcpClaudeAIProxyServerConfig = openObject({ type: z.literal('claudeai-proxy'), url: z.string(), id: z.string(), timeout: toolTimeout }).register(
  protocol,
  {
    id: 'McpClaudeAIProxyServerConfig',
    description: 'An MCP server that is reached through a proxy provided by the account. Agents report such servers; hosts cannot configure them.',
  },
);

const processServers = [mcpStdioServerConfig, mcpSSEServerConfig, mcpHttpServerConfig, mcpSdkServerConfig] as const;

export const mcpServerConfigForProcessTransport = openUnion('type', processServers, {
  id: 'McpServerConfigForProcessTransport',
  description: 'The configuration of an MCP server for an agent process.',
});

export const mcpServerStatusConfig = openUnion('type', [...processServers, mcpClaudeAIProxyServerConfig], {
  id: 'McpServerStatusConfig',
  description: 'The configuration of an MCP server, as an agent reports it.',
});

export const agentMcpServerSpec = z
  .union([z.string(), z.record(z.string(), mcpServerConfigForProcessTransport)])
  .register(protocol, {
    id: 'AgentMcpServerSpec',
    description: 'MCP servers for a subagent: the name of one configured server, or definitions of new servers by name.',
  });

const toolHints = openObject({
  readOnly: z.optional(z.boolean()).check(z.describe('Whether the tool only reads and never changes anything.')),
  destructive: z.optional(z.boolean()).check(z.describe('Whether the tool may delete or overwrite something.')),
  openWorld: z.optional(z.boolean()).check(z.describe('Whether the tool reaches systems outside the server, such as the web.')),
});
const offeredTool = openObject({
  name: z.string(),
  description: z.optional(z.string()),
  annotations: z.optional(toolHints).check(z.describe('Hints from the server about the tool. These hints are not enforced.')),
  _meta: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe('More data from the server about the tool, in the member that MCP reserves for this purpose.')),
});

export const mcpServerStatus = openObject({
  name: z.string(),
  status: openEnum(['connected', 'failed', 'needs-auth', 'pending', 'disabled']).check(
    z.describe(
      'The state of the connection: `pending` while the agent connects, `needs-auth` until the user has signed in to the server, `disabled` after `mcp_toggle`.',
    ),
  ),
  serverInfo: z
    .optional(openObject({ name: z.string(), version: z.string() }))
    .check(z.describe('The name and the version that the server reports. Absent unless the server is connected.')),
  error: z.optional(z.string()).check(z.describe('Why the connection failed, as text for people.')),
  config: z.optional(mcpServerStatusConfig),
  scope: z.optional(z.string()).check(z.describe('Where the server was configured, such as `dynamic` for a server that the host added.')),
  source: z.optional(z.string()).check(z.describe('Where the server comes from, such as `dynamic`. Trust this value rather than the name.')),
  // Seen on the wire, not declared by the published SDK.
  transport: z.optional(z.string()).check(z.describe('The transport to the server, such as `stdio`.')),
  tools: z.optional(z.array(offeredTool)).check(z.describe('The tools of the server. Absent unless the server is connected.')),
}).register(protocol, { id: 'McpServerStatus', description: 'The state of an MCP server.' });
