import { object, optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, literal, number, openEnum, record, string, unknown } from './schema.ts';
import { openUnion, union } from './union-schema.ts';

/** Schema of `McpServerToolPolicy`. */
export const mcpServerToolPolicy = lazy(() =>
  object({
    name: string,
    permission_policy: optional(openEnum(['always_allow', 'always_ask', 'always_deny'])),
    org_max_permission: optional(openEnum(['allow', 'ask', 'blocked'])),
  }),
);

/** What one tool of a server may do. */
export type McpServerToolPolicy = Infer<typeof mcpServerToolPolicy>;

/** Schema of `McpStdioServerConfig`. */
export const mcpStdioServerConfig = lazy(() =>
  object({
    type: optional(literal('stdio')),
    command: string,
    args: optional(array(string)),
    env: optional(record(string)),
    timeout: optional(number),
    alwaysLoad: optional(boolean),
  }),
);

/** A server that is a child process. The default: its `type` may be missing. */
export type McpStdioServerConfig = Infer<typeof mcpStdioServerConfig>;

/** Schema of `McpSSEServerConfig`. */
export const mcpSSEServerConfig = lazy(() =>
  object({
    type: literal('sse'),
    url: string,
    headers: optional(record(string)),
    tools: optional(array(mcpServerToolPolicy)),
    timeout: optional(number),
    alwaysLoad: optional(boolean),
  }),
);

/** A server behind server-sent events. */
export type McpSSEServerConfig = Infer<typeof mcpSSEServerConfig>;

/** Schema of `McpHttpServerConfig`. */
export const mcpHttpServerConfig = lazy(() =>
  object({
    type: literal('http'),
    url: string,
    headers: optional(record(string)),
    tools: optional(array(mcpServerToolPolicy)),
    timeout: optional(number),
    alwaysLoad: optional(boolean),
  }),
);

/** A server behind streamable HTTP. */
export type McpHttpServerConfig = Infer<typeof mcpHttpServerConfig>;

/** Schema of `McpSdkServerConfig`. */
export const mcpSdkServerConfig = lazy(() =>
  object({
    type: literal('sdk'),
    name: string,
    timeout: optional(number),
    tools: optional(array(mcpServerToolPolicy)),
  }),
);

/** A server within the host, reached over the control channel. */
export type McpSdkServerConfig = Infer<typeof mcpSdkServerConfig>;

/** Schema of `McpClaudeAIProxyServerConfig`. */
export const mcpClaudeAIProxyServerConfig = lazy(() =>
  object({ type: literal('claudeai-proxy'), url: string, id: string, timeout: optional(number) }),
);

/** A server reached through a proxy of the account; only ever reported. */
export type McpClaudeAIProxyServerConfig = Infer<typeof mcpClaudeAIProxyServerConfig>;

const processServers = {
  stdio: mcpStdioServerConfig,
  sse: mcpSSEServerConfig,
  http: mcpHttpServerConfig,
  sdk: mcpSdkServerConfig,
};

/** Schema of `McpServerConfigForProcessTransport`. */
export const mcpServerConfigForProcessTransport = lazy(() => openUnion('type', processServers, mcpStdioServerConfig));

/** How an agent process reaches a server. */
export type McpServerConfigForProcessTransport = Infer<typeof mcpServerConfigForProcessTransport>;

/** Schema of `McpServerStatusConfig`. */
export const mcpServerStatusConfig = lazy(() =>
  openUnion('type', { ...processServers, 'claudeai-proxy': mcpClaudeAIProxyServerConfig }, mcpStdioServerConfig),
);

/** How a server that is reported is reached. */
export type McpServerStatusConfig = Infer<typeof mcpServerStatusConfig>;

/** Schema of `AgentMcpServerSpec`. */
export const agentMcpServerSpec = lazy(() => union([string, record(mcpServerConfigForProcessTransport)]));

/** A server of a subagent: the name of a known one, or new ones by name. */
export type AgentMcpServerSpec = Infer<typeof agentMcpServerSpec>;

/** Schema of `McpServerStatus`. */
export const mcpServerStatus = lazy(() =>
  object({
    name: string,
    status: openEnum(['connected', 'failed', 'needs-auth', 'pending', 'disabled']),
    serverInfo: optional(object({ name: string, version: string })),
    error: optional(string),
    config: optional(mcpServerStatusConfig),
    scope: optional(string),
    source: optional(string),
    // Seen, not declared.
    transport: optional(string),
    tools: optional(
      array(
        object({
          name: string,
          description: optional(string),
          annotations: optional(
            object({
              readOnly: optional(boolean),
              destructive: optional(boolean),
              openWorld: optional(boolean),
            }),
          ),
          _meta: optional(record(unknown)),
        }),
      ),
    ),
  }),
);

/** A server as the agent sees it. */
export type McpServerStatus = Infer<typeof mcpServerStatus>;
