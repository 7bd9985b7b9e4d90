import { agentMcpServerSpec } from '../mcp-servers.ts';
import { permissionMode } from '../permission-mode.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, number, openEnum, string } from '../schema.ts';
import { union } from '../union-schema.ts';

/** Schema of `ModelInfo`. */
export const modelInfo = lazy(() =>
  object({
    value: string,
    resolvedModel: optional(string),
    displayName: string,
    description: string,
    supportsEffort: optional(boolean),
    supportedEffortLevels: optional(array(openEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
    supportsAdaptiveThinking: optional(boolean),
    supportsFastMode: optional(boolean),
    supportsAutoMode: optional(boolean),
    // Seen, not declared.
    supportsThinkingOff: optional(boolean),
  }),
);

/** A model that may be chosen. */
export type ModelInfo = Infer<typeof modelInfo>;

/** Schema of `AgentInfo`. */
export const agentInfo = lazy(() => object({ name: string, description: string, model: optional(string) }));

/** A subagent that may be used. */
export type AgentInfo = Infer<typeof agentInfo>;

/** Schema of `AccountInfo`. */
export const accountInfo = lazy(() =>
  object({
    email: optional(string),
    organization: optional(string),
    subscriptionType: optional(string),
    tokenSource: optional(string),
    apiKeySource: optional(string),
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
    description: string,
    tools: optional(array(string)),
    disallowedTools: optional(array(string)),
    prompt: string,
    model: optional(string),
    mcpServers: optional(array(agentMcpServerSpec)),
    criticalSystemReminder_EXPERIMENTAL: optional(string),
    skills: optional(array(string)),
    initialPrompt: optional(string),
    maxTurns: optional(number),
    autoCompactWindow: optional(number),
    background: optional(boolean),
    omitClaudeMd: optional(boolean),
    memory: optional(openEnum(['user', 'project', 'local'])),
    effort: optional(union([openEnum(['low', 'medium', 'high', 'xhigh', 'max']), number])),
    permissionMode: optional(permissionMode),
    observer: optional(string),
    observerMessage: optional(string),
  }),
);

/** A subagent as a host defines it. */
export type AgentDefinition = Infer<typeof agentDefinition>;

/** Schema of `SdkPluginConfig`. */
export const pluginConfig = lazy(() =>
  object({ type: openEnum(['local']), path: string, skipMcpDiscovery: optional(boolean) }),
);

/** A plugin as a host names it. */
export type SdkPluginConfig = Infer<typeof pluginConfig>;
