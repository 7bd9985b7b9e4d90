import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from './open.ts';

export const mcpServerToolPolicy = openObject({
  name: z.string(),
  permission_policy: z.optional(openEnum(['always_allow', 'always_ask', 'always_deny'])),
  org_max_permission: z.optional(openEnum(['allow', 'ask', 'blocked'])),
}).register(protocol, { id: 'McpServerToolPolicy', description: 'What one tool of a server may do.' });

export const toolTimeout = z
  .optional(z.number())
  .check(z.describe('How long a tool call may take, in ms; below 1000 is ignored, and without it the variable `MCP_TOOL_TIMEOUT` counts, else no limit.'));
const alwaysLoad = z.optional(z.boolean()).check(z.describe('With true the tools are offered from the start, and not looked up when they are needed.'));
const remote = {
  url: z.string(),
  headers: z.optional(z.record(z.string(), z.string())),
  tools: z.optional(z.array(mcpServerToolPolicy)),
  timeout: toolTimeout,
  alwaysLoad,
};

export const mcpStdioServerConfig = openObject({
  type: z.optional(z.literal('stdio')),
  command: z.string().check(z.describe('The executable, which the agent starts with `args` as a child process.')),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.string())),
  timeout: toolTimeout,
  alwaysLoad,
}).register(protocol, { id: 'McpStdioServerConfig', description: 'A server that is a child process. The default: its `type` may be missing.' });

export const mcpSSEServerConfig = openObject({ type: z.literal('sse'), ...remote }).register(protocol, {
  id: 'McpSSEServerConfig',
  description: 'A server behind server-sent events.',
});

export const mcpHttpServerConfig = openObject({ type: z.literal('http'), ...remote }).register(protocol, {
  id: 'McpHttpServerConfig',
  description: 'A server behind streamable HTTP.',
});

export const mcpSdkServerConfig = openObject({
  type: z.literal('sdk'),
  name: z.string().check(z.describe('What `mcp_message` requests for this server have as `server_name`.')),
  timeout: toolTimeout,
  tools: z.optional(z.array(mcpServerToolPolicy)),
}).register(protocol, { id: 'McpSdkServerConfig', description: 'A server within the host, reached over the control channel.' });

export const mcpClaudeAIProxyServerConfig = openObject({ type: z.literal('claudeai-proxy'), url: z.string(), id: z.string(), timeout: toolTimeout }).register(
  protocol,
  { id: 'McpClaudeAIProxyServerConfig', description: 'A server reached through a proxy of the account; only ever reported.' },
);

const processServers = [mcpStdioServerConfig, mcpSSEServerConfig, mcpHttpServerConfig, mcpSdkServerConfig] as const;

export const mcpServerConfigForProcessTransport = openUnion('type', processServers, {
  id: 'McpServerConfigForProcessTransport',
  description: 'How an agent process reaches a server.',
});

export const mcpServerStatusConfig = openUnion('type', [...processServers, mcpClaudeAIProxyServerConfig], {
  id: 'McpServerStatusConfig',
  description: 'How a server that is reported is reached.',
});

export const agentMcpServerSpec = z
  .union([z.string(), z.record(z.string(), mcpServerConfigForProcessTransport)])
  .register(protocol, { id: 'AgentMcpServerSpec', description: 'A server of a subagent: the name of a known one, or new ones by name.' });

const toolHints = openObject({
  readOnly: z.optional(z.boolean()).check(z.describe('Whether the tool changes nothing.')),
  destructive: z.optional(z.boolean()).check(z.describe('Whether the tool may delete or overwrite something.')),
  openWorld: z.optional(z.boolean()).check(z.describe('Whether the tool reaches beyond the server, such as to the web.')),
});
const offeredTool = openObject({
  name: z.string(),
  description: z.optional(z.string()),
  annotations: z.optional(toolHints).check(z.describe('Hints of the server about the tool, which nobody makes it keep to.')),
  _meta: z.optional(z.record(z.string(), z.unknown())).check(z.describe('What else the server says of the tool, in the member that MCP keeps for such data.')),
});

export const mcpServerStatus = openObject({
  name: z.string(),
  status: openEnum(['connected', 'failed', 'needs-auth', 'pending', 'disabled']).check(
    z.describe('`pending` while it connects, `needs-auth` until the user has signed in to it, `disabled` after `mcp_toggle`.'),
  ),
  serverInfo: z
    .optional(openObject({ name: z.string(), version: z.string() }))
    .check(z.describe('What the server calls itself; absent unless it is connected.')),
  error: z.optional(z.string()).check(z.describe('Why it could not be connected, for people to read.')),
  config: z.optional(mcpServerStatusConfig),
  scope: z.optional(z.string()).check(z.describe('Where it was configured, such as `dynamic` for one that the host has given.')),
  source: z.optional(z.string()).check(z.describe('Where the server comes from, such as `dynamic`, whatever its name says.')),
  // Seen, not declared.
  transport: z.optional(z.string()).check(z.describe('How messages reach it, such as `stdio`.')),
  tools: z.optional(z.array(offeredTool)).check(z.describe('The tools that it offers; absent unless it is connected.')),
}).register(protocol, { id: 'McpServerStatus', description: 'A server as the agent sees it.' });
