import * as z from 'zod/mini';
import { agentMcpServerSpec } from '../mcp-servers.ts';
import { permissionMode } from '../permission-mode.ts';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

/** Schema of `ModelInfo`. */
export const modelInfo = lazy(() =>
  object({
    value: z.string(),
    resolvedModel: optional(z.string()),
    displayName: z.string(),
    description: z.string(),
    supportsEffort: optional(z.boolean()),
    supportedEffortLevels: optional(z.array(openEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
    supportsAdaptiveThinking: optional(z.boolean()),
    supportsFastMode: optional(z.boolean()),
    supportsAutoMode: optional(z.boolean()),
    // Seen, not declared.
    supportsThinkingOff: optional(z.boolean()),
  }),
);

/** A model that may be chosen. */
export type ModelInfo = Infer<typeof modelInfo>;

/** Schema of `AgentInfo`. */
export const agentInfo = lazy(() => object({ name: z.string(), description: z.string(), model: optional(z.string()) }));

/** A subagent that may be used. */
export type AgentInfo = Infer<typeof agentInfo>;

/** Schema of `AccountInfo`. */
export const accountInfo = lazy(() =>
  object({
    email: optional(z.string()),
    organization: optional(z.string()),
    subscriptionType: optional(z.string()),
    tokenSource: optional(z.string()),
    apiKeySource: optional(z.string()),
    apiProvider: optional(
      openEnum([
        'firstParty',
        'bedrock',
        'vertex',
        'foundry',
        'anthropicAws',
        'anthropicGoogleCloud',
        'mantle',
        'gateway',
      ]),
    ),
  }),
);

/** Who the agent is logged in as. */
export type AccountInfo = Infer<typeof accountInfo>;

/** Schema of `AgentDefinition`. */
export const agentDefinition = lazy(() =>
  object({
    description: z.string(),
    tools: optional(z.array(z.string())),
    disallowedTools: optional(z.array(z.string())),
    prompt: z.string(),
    model: optional(z.string()),
    mcpServers: optional(z.array(agentMcpServerSpec())),
    criticalSystemReminder_EXPERIMENTAL: optional(z.string()),
    skills: optional(z.array(z.string())),
    initialPrompt: optional(z.string()),
    maxTurns: optional(z.number()),
    autoCompactWindow: optional(z.number()),
    background: optional(z.boolean()),
    omitClaudeMd: optional(z.boolean()),
    memory: optional(openEnum(['user', 'project', 'local'])),
    effort: optional(z.union([openEnum(['low', 'medium', 'high', 'xhigh', 'max']), z.number()])),
    permissionMode: optional(permissionMode()),
    observer: optional(z.string()),
    observerMessage: optional(z.string()),
  }),
);

/** A subagent as a host defines it. */
export type AgentDefinition = Infer<typeof agentDefinition>;

/** Schema of `SdkPluginConfig`. */
export const pluginConfig = lazy(() =>
  object({ type: openEnum(['local']), path: z.string(), skipMcpDiscovery: optional(z.boolean()) }),
);

/** A plugin as a host names it. */
export type SdkPluginConfig = Infer<typeof pluginConfig>;
