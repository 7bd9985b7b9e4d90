import * as z from 'zod/mini';
import { agentMcpServerSpec } from '../mcp-servers.ts';
import { permissionMode } from '../permissions.ts';
import { openEnum, openObject, protocol } from '../open.ts';

export const modelInfo = openObject({
  value: z.string().check(z.describe('The text to use in `set_model` and in the flag `--model`: an alias such as `opus`, or an id.')),
  resolvedModel: z.optional(z.string()).check(z.describe('The id of the model that `value` stands for.')),
  displayName: z.string(),
  description: z.string(),
  supportsEffort: z.optional(z.boolean()).check(z.describe('Whether the model has effort levels.')),
  supportedEffortLevels: z.optional(z.array(openEnum(['low', 'medium', 'high', 'xhigh', 'max']))),
  supportsAdaptiveThinking: z.optional(z.boolean()).check(z.describe('Whether the model can decide how much it thinks.')),
  supportsFastMode: z.optional(z.boolean()),
  supportsAutoMode: z.optional(z.boolean()).check(z.describe('Whether the permission mode `auto` works with the model.')),
  // Seen on the wire, not declared by the published SDK.
  supportsThinkingOff: z.optional(z.boolean()),
}).register(protocol, { id: 'ModelInfo', description: 'A model that the host may choose.' });

export const agentInfo = openObject({
  name: z.string().check(z.describe('The name of the subagent. The tool that starts subagents accepts it as the subagent type.')),
  description: z.string().check(z.describe('When to use the subagent, as text for the model.')),
  model: z.optional(z.string()).check(z.describe('The model of the subagent. `inherit` means the model of the session.')),
}).register(protocol, { id: 'AgentInfo', description: 'A subagent that is available.' });

export const accountInfo = openObject({
  email: z.optional(z.string()),
  organization: z.optional(z.string()),
  subscriptionType: z.optional(z.string()).check(z.describe('The plan of the account. Absent if the account has no plan, for example with an API key.')),
  tokenSource: z.optional(z.string()).check(z.describe('Where the login token comes from. `none` if nobody is logged in.')),
  apiKeySource: z
    .optional(z.string())
    .check(z.describe('Where the API key comes from, such as the variable `ANTHROPIC_API_KEY`. Absent if the agent has no key.')),
  apiProvider: z
    .optional(openEnum(['firstParty', 'bedrock', 'vertex', 'foundry', 'anthropicAws', 'anthropicGoogleCloud', 'mantle', 'gateway']))
    .check(z.describe("The service that runs the model. `firstParty` is the vendor's own service. All other values are clouds and gateways.")),
}).register(protocol, { id: 'AccountInfo', description: 'The account that the agent is logged in with.' });

export const agentDefinition = openObject({
  description: z.string().check(z.describe('When to use the subagent, as text for the model.')),
  tools: z.optional(z.array(z.string())).check(z.describe('The tools of the subagent. If absent, the subagent has all tools of the session.')),
  disallowedTools: z.optional(z.array(z.string())).check(z.describe('Tools to remove from the tools of the subagent.')),
  prompt: z.string().check(z.describe('The system prompt of the subagent.')),
  model: z.optional(z.string()).check(z.describe('The model of the subagent, as an alias or an id. `inherit`, the default, means the model of the session.')),
  mcpServers: z.optional(z.array(agentMcpServerSpec)),
  criticalSystemReminder_EXPERIMENTAL: z.optional(z.string()),
  skills: z.optional(z.array(z.string())).check(z.describe('The skills whose full text is given to the subagent when it starts.')),
  initialPrompt: z.optional(z.string()),
  maxTurns: z.optional(z.number()).check(z.describe('How many turns the subagent may take before it is stopped.')),
  autoCompactWindow: z.optional(z.number()),
  background: z.optional(z.boolean()).check(z.describe('If true, the subagent always runs in the background.')),
  omitClaudeMd: z.optional(z.boolean()),
  memory: z
    .optional(openEnum(['user', 'project', 'local']))
    .check(z.describe('The memory that the subagent reads and writes. The memory is kept after the session ends. If absent, the subagent has no memory.')),
  effort: z.optional(z.union([openEnum(['low', 'medium', 'high', 'xhigh', 'max']), z.number()])).check(z.describe("The effort level of the subagent's model.")),
  permissionMode: z.optional(permissionMode),
  observer: z.optional(z.string()),
  observerMessage: z.optional(z.string()),
}).register(protocol, { id: 'AgentDefinition', description: 'A subagent that a host defines.' });

export const pluginConfig = openObject({
  type: openEnum(['local']),
  path: z.string().check(z.describe('The folder of the plugin.')),
  skipMcpDiscovery: z.optional(z.boolean()).check(z.describe('If true, the MCP servers of the plugin are ignored.')),
}).register(protocol, { id: 'SdkPluginConfig', description: 'A plugin that the host wants the agent to load.' });
