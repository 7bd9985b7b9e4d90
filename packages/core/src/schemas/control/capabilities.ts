import * as z from 'zod/mini';
import { agentMcpServerSpec } from '../mcp-servers.ts';
import { permissionMode } from '../permissions.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const modelInfo = openObject({
  value: z.string().check(z.describe('What `set_model` and the flag `--model` take: an alias such as `opus`, or an id.')),
  resolvedModel: z.optional(z.string()).check(z.describe('The id of the model that `value` stands for.')),
  displayName: z.string(),
  description: z.string(),
  supportsEffort: z.optional(z.boolean()).check(z.describe('Whether the model can be told how hard to try.')),
  supportedEffortLevels: z.optional(z.array(openEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
  supportsAdaptiveThinking: z.optional(z.boolean()).check(z.describe('Whether the model can choose by itself how much it thinks.')),
  supportsFastMode: z.optional(z.boolean()),
  supportsAutoMode: z.optional(z.boolean()).check(z.describe('Whether the permission mode `auto` works with it.')),
  // Seen, not declared.
  supportsThinkingOff: z.optional(z.boolean()),
}).register(protocol, { id: 'ModelInfo', description: 'A model that may be chosen.' });

export const agentInfo = openObject({
  name: z.string().check(z.describe('What the tool that starts subagents takes as their type.')),
  description: z.string().check(z.describe('When to use the subagent, as the model is told.')),
  model: z.optional(z.string()).check(z.describe('The model the subagent works with; `inherit` is that of the session.')),
}).register(protocol, { id: 'AgentInfo', description: 'A subagent that may be used.' });

export const accountInfo = openObject({
  email: z.optional(z.string()),
  organization: z.optional(z.string()),
  subscriptionType: z.optional(z.string()).check(z.describe('The plan of the account; absent without one, as with an API key.')),
  tokenSource: z.optional(z.string()).check(z.describe('Where the token of the login comes from; `none` where nobody is logged in.')),
  apiKeySource: z.optional(z.string()).check(z.describe('Where the API key comes from, such as the variable `ANTHROPIC_API_KEY`; absent without a key.')),
  apiProvider: z
    .optional(openEnum(['firstParty', 'bedrock', 'vertex', 'foundry', 'anthropicAws', 'anthropicGoogleCloud', 'mantle', 'gateway']))
    .check(z.describe("Whose service the model runs at: `firstParty` is the vendor's own, the others are clouds and gateways.")),
}).register(protocol, { id: 'AccountInfo', description: 'Who the agent is logged in as.' });

export const agentDefinition = openObject({
  description: z.string().check(z.describe('When to use the subagent, as the model is told.')),
  tools: z.optional(z.array(z.string())).check(z.describe('The only tools that the subagent has; all of the session where it is absent.')),
  disallowedTools: z.optional(z.array(z.string())).check(z.describe('Tools that the subagent does not have, of those it would have otherwise.')),
  prompt: z.string().check(z.describe('The system prompt of the subagent.')),
  model: z.optional(z.string()).check(z.describe('An alias or an id; `inherit`, or nothing, is the model of the session.')),
  mcpServers: z.optional(z.array(agentMcpServerSpec)),
  criticalSystemReminder_EXPERIMENTAL: z.optional(z.string()),
  skills: z.optional(z.array(z.string())).check(z.describe('Skills whose whole text the subagent is given at its beginning.')),
  initialPrompt: z.optional(z.string()),
  maxTurns: z.optional(z.number()).check(z.describe('How many turns the subagent may take before it is stopped.')),
  autoCompactWindow: z.optional(z.number()),
  background: z.optional(z.boolean()).check(z.describe('With true the subagent always runs in the background.')),
  omitClaudeMd: z.optional(z.boolean()),
  memory: z
    .optional(openEnum(['user', 'project', 'local']))
    .check(z.describe('Whose memory it reads and writes, which outlives the session; it has none where this is absent.')),
  effort: z.optional(z.union([openEnum(['low', 'medium', 'high', 'xhigh', 'max']), z.number()])).check(z.describe('How hard the model of the subagent tries.')),
  permissionMode: z.optional(permissionMode),
  observer: z.optional(z.string()),
  observerMessage: z.optional(z.string()),
}).register(protocol, { id: 'AgentDefinition', description: 'A subagent as a host defines it.' });

export const pluginConfig = openObject({
  type: openEnum(['local']),
  path: z.string().check(z.describe('The folder of the plugin.')),
  skipMcpDiscovery: z.optional(z.boolean()).check(z.describe('With true the MCP servers of the plugin are left out.')),
}).register(protocol, { id: 'SdkPluginConfig', description: 'A plugin as a host names it.' });
