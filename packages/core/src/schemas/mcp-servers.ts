import * as z from 'zod/mini';
import { openEnum, openUnion, protocol } from './open.ts';

export const mcpServerToolPolicy = z
  .looseObject({
    name: z.string(),
    permission_policy: z.optional(openEnum(['always_allow', 'always_ask', 'always_deny'])),
    org_max_permission: z.optional(openEnum(['allow', 'ask', 'blocked'])),
  })
  .register(protocol, { id: 'McpServerToolPolicy', description: 'What one tool of a server may do.' });

export const mcpStdioServerConfig = z
  .looseObject({
    type: z.optional(z.literal('stdio')),
    command: z.string(),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.record(z.string(), z.string())),
    timeout: z.optional(z.number()),
    alwaysLoad: z.optional(z.boolean()),
  })
  .register(protocol, {
    id: 'McpStdioServerConfig',
    description: 'A server that is a child process. The default: its `type` may be missing.',
  });

export const mcpSSEServerConfig = z
  .looseObject({
    type: z.literal('sse'),
    url: z.string(),
    headers: z.optional(z.record(z.string(), z.string())),
    tools: z.optional(z.array(mcpServerToolPolicy)),
    timeout: z.optional(z.number()),
    alwaysLoad: z.optional(z.boolean()),
  })
  .register(protocol, { id: 'McpSSEServerConfig', description: 'A server behind server-sent events.' });

export const mcpHttpServerConfig = z
  .looseObject({
    type: z.literal('http'),
    url: z.string(),
    headers: z.optional(z.record(z.string(), z.string())),
    tools: z.optional(z.array(mcpServerToolPolicy)),
    timeout: z.optional(z.number()),
    alwaysLoad: z.optional(z.boolean()),
  })
  .register(protocol, { id: 'McpHttpServerConfig', description: 'A server behind streamable HTTP.' });

export const mcpSdkServerConfig = z
  .looseObject({
    type: z.literal('sdk'),
    name: z.string(),
    timeout: z.optional(z.number()),
    tools: z.optional(z.array(mcpServerToolPolicy)),
  })
  .register(protocol, {
    id: 'McpSdkServerConfig',
    description: 'A server within the host, reached over the control channel.',
  });

export const mcpClaudeAIProxyServerConfig = z
  .looseObject({ type: z.literal('claudeai-proxy'), url: z.string(), id: z.string(), timeout: z.optional(z.number()) })
  .register(protocol, {
    id: 'McpClaudeAIProxyServerConfig',
    description: 'A server reached through a proxy of the account; only ever reported.',
  });

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
  .register(protocol, {
    id: 'AgentMcpServerSpec',
    description: 'A server of a subagent: the name of a known one, or new ones by name.',
  });

export const mcpServerStatus = z
  .looseObject({
    name: z.string(),
    status: openEnum(['connected', 'failed', 'needs-auth', 'pending', 'disabled']),
    serverInfo: z.optional(z.looseObject({ name: z.string(), version: z.string() })),
    error: z.optional(z.string()),
    config: z.optional(mcpServerStatusConfig),
    scope: z.optional(z.string()),
    source: z.optional(z.string()),
    // Seen, not declared.
    transport: z.optional(z.string()),
    tools: z.optional(
      z.array(
        z.looseObject({
          name: z.string(),
          description: z.optional(z.string()),
          annotations: z.optional(
            z.looseObject({
              readOnly: z.optional(z.boolean()),
              destructive: z.optional(z.boolean()),
              openWorld: z.optional(z.boolean()),
            }),
          ),
          _meta: z.optional(z.record(z.string(), z.unknown())),
        }),
      ),
    ),
  })
  .register(protocol, { id: 'McpServerStatus', description: 'A server as the agent sees it.' });
