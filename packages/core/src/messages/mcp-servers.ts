import * as z from 'zod/mini';
import { type Infer, lazy, object, openEnum, openUnion, optional } from './schema.ts';

/** Schema of `McpServerToolPolicy`. */
export const mcpServerToolPolicy = lazy(() =>
  object({
    name: z.string(),
    permission_policy: optional(openEnum(['always_allow', 'always_ask', 'always_deny'])),
    org_max_permission: optional(openEnum(['allow', 'ask', 'blocked'])),
  }),
);

/** What one tool of a server may do. */
export type McpServerToolPolicy = Infer<typeof mcpServerToolPolicy>;

/** Schema of `McpStdioServerConfig`. */
export const mcpStdioServerConfig = lazy(() =>
  object({
    type: optional(z.literal('stdio')),
    command: z.string(),
    args: optional(z.array(z.string())),
    env: optional(z.record(z.string(), z.string())),
    timeout: optional(z.number()),
    alwaysLoad: optional(z.boolean()),
  }),
);

/** A server that is a child process. The default: its `type` may be missing. */
export type McpStdioServerConfig = Infer<typeof mcpStdioServerConfig>;

/** Schema of `McpSSEServerConfig`. */
export const mcpSSEServerConfig = lazy(() =>
  object({
    type: z.literal('sse'),
    url: z.string(),
    headers: optional(z.record(z.string(), z.string())),
    tools: optional(z.array(mcpServerToolPolicy())),
    timeout: optional(z.number()),
    alwaysLoad: optional(z.boolean()),
  }),
);

/** A server behind server-sent events. */
export type McpSSEServerConfig = Infer<typeof mcpSSEServerConfig>;

/** Schema of `McpHttpServerConfig`. */
export const mcpHttpServerConfig = lazy(() =>
  object({
    type: z.literal('http'),
    url: z.string(),
    headers: optional(z.record(z.string(), z.string())),
    tools: optional(z.array(mcpServerToolPolicy())),
    timeout: optional(z.number()),
    alwaysLoad: optional(z.boolean()),
  }),
);

/** A server behind streamable HTTP. */
export type McpHttpServerConfig = Infer<typeof mcpHttpServerConfig>;

/** Schema of `McpSdkServerConfig`. */
export const mcpSdkServerConfig = lazy(() =>
  object({
    type: z.literal('sdk'),
    name: z.string(),
    timeout: optional(z.number()),
    tools: optional(z.array(mcpServerToolPolicy())),
  }),
);

/** A server within the host, reached over the control channel. */
export type McpSdkServerConfig = Infer<typeof mcpSdkServerConfig>;

/** Schema of `McpClaudeAIProxyServerConfig`. */
export const mcpClaudeAIProxyServerConfig = lazy(() =>
  object({ type: z.literal('claudeai-proxy'), url: z.string(), id: z.string(), timeout: optional(z.number()) }),
);

/** A server reached through a proxy of the account; only ever reported. */
export type McpClaudeAIProxyServerConfig = Infer<typeof mcpClaudeAIProxyServerConfig>;

/** Schema of `McpServerConfigForProcessTransport`. */
export const mcpServerConfigForProcessTransport = lazy(() =>
  openUnion('type', [mcpStdioServerConfig(), mcpSSEServerConfig(), mcpHttpServerConfig(), mcpSdkServerConfig()]),
);

/** How an agent process reaches a server. */
export type McpServerConfigForProcessTransport = Infer<typeof mcpServerConfigForProcessTransport>;

/** Schema of `McpServerStatusConfig`. */
export const mcpServerStatusConfig = lazy(() =>
  openUnion('type', [
    mcpStdioServerConfig(),
    mcpSSEServerConfig(),
    mcpHttpServerConfig(),
    mcpSdkServerConfig(),
    mcpClaudeAIProxyServerConfig(),
  ]),
);

/** How a server that is reported is reached. */
export type McpServerStatusConfig = Infer<typeof mcpServerStatusConfig>;

/** Schema of `AgentMcpServerSpec`. */
export const agentMcpServerSpec = lazy(() =>
  z.union([z.string(), z.record(z.string(), mcpServerConfigForProcessTransport())]),
);

/** A server of a subagent: the name of a known one, or new ones by name. */
export type AgentMcpServerSpec = Infer<typeof agentMcpServerSpec>;

/** Schema of `McpServerStatus`. */
export const mcpServerStatus = lazy(() =>
  object({
    name: z.string(),
    status: openEnum(['connected', 'failed', 'needs-auth', 'pending', 'disabled']),
    serverInfo: optional(object({ name: z.string(), version: z.string() })),
    error: optional(z.string()),
    config: optional(mcpServerStatusConfig()),
    scope: optional(z.string()),
    source: optional(z.string()),
    // Seen, not declared.
    transport: optional(z.string()),
    tools: optional(
      z.array(
        object({
          name: z.string(),
          description: optional(z.string()),
          annotations: optional(
            object({
              readOnly: optional(z.boolean()),
              destructive: optional(z.boolean()),
              openWorld: optional(z.boolean()),
            }),
          ),
          _meta: optional(z.record(z.string(), z.unknown())),
        }),
      ),
    ),
  }),
);

/** A server as the agent sees it. */
export type McpServerStatus = Infer<typeof mcpServerStatus>;
