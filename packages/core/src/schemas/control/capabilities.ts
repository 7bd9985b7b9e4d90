import * as z from 'zod/mini';
import { agentMcpServerSpec } from '../mcp-servers.ts';
import { permissionMode } from '../permission-mode.ts';
import { openEnum, protocol } from '../open.ts';

export const modelInfo = z
  .looseObject({
    value: z.string(),
    resolvedModel: z.optional(z.string()),
    displayName: z.string(),
    description: z.string(),
    supportsEffort: z.optional(z.boolean()),
    supportedEffortLevels: z.optional(z.array(openEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
    supportsAdaptiveThinking: z.optional(z.boolean()),
    supportsFastMode: z.optional(z.boolean()),
    supportsAutoMode: z.optional(z.boolean()),
    // Seen, not declared.
    supportsThinkingOff: z.optional(z.boolean()),
  })
  .register(protocol, { id: 'ModelInfo', description: 'A model that may be chosen.' });

export const agentInfo = z
  .looseObject({ name: z.string(), description: z.string(), model: z.optional(z.string()) })
  .register(protocol, { id: 'AgentInfo', description: 'A subagent that may be used.' });

export const accountInfo = z
  .looseObject({
    email: z.optional(z.string()),
    organization: z.optional(z.string()),
    subscriptionType: z.optional(z.string()),
    tokenSource: z.optional(z.string()),
    apiKeySource: z.optional(z.string()),
    apiProvider: z.optional(
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
  })
  .register(protocol, { id: 'AccountInfo', description: 'Who the agent is logged in as.' });

export const agentDefinition = z
  .looseObject({
    description: z.string(),
    tools: z.optional(z.array(z.string())),
    disallowedTools: z.optional(z.array(z.string())),
    prompt: z.string(),
    model: z.optional(z.string()),
    mcpServers: z.optional(z.array(agentMcpServerSpec)),
    criticalSystemReminder_EXPERIMENTAL: z.optional(z.string()),
    skills: z.optional(z.array(z.string())),
    initialPrompt: z.optional(z.string()),
    maxTurns: z.optional(z.number()),
    autoCompactWindow: z.optional(z.number()),
    background: z.optional(z.boolean()),
    omitClaudeMd: z.optional(z.boolean()),
    memory: z.optional(openEnum(['user', 'project', 'local'])),
    effort: z.optional(z.union([openEnum(['low', 'medium', 'high', 'xhigh', 'max']), z.number()])),
    permissionMode: z.optional(permissionMode),
    observer: z.optional(z.string()),
    observerMessage: z.optional(z.string()),
  })
  .register(protocol, { id: 'AgentDefinition', description: 'A subagent as a host defines it.' });

export const pluginConfig = z
  .looseObject({ type: openEnum(['local']), path: z.string(), skipMcpDiscovery: z.optional(z.boolean()) })
  .register(protocol, { id: 'SdkPluginConfig', description: 'A plugin as a host names it.' });
