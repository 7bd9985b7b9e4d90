import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';

/** The request about the context window. */
export const contextUsageRequests = {
  get_context_usage: requestOf('get_context_usage', {
    detail: z.optional(openEnum(['summary', 'full'])).check(z.describe('`full`, the default, counts each item by a call of the API; `summary` makes none.')),
  }).register(protocol, {
    id: 'SDKControlGetContextUsageRequest',
    description: 'Asks what fills the context window; `summary` spares the calls that count tokens.',
  }),
};

const categoryId = openEnum([
  'system_prompt',
  'system_tools',
  'mcp_tools',
  'mcp_instructions',
  'mcp_tools_deferred',
  'system_tools_deferred',
  'custom_agents',
  'memory_files',
  'skills',
  'messages',
  'autocompact_buffer',
  'compact_buffer',
  'free_space',
]);
const part = openObject({ name: z.string(), tokens: z.number() });
const square = openObject({
  color: z.string(),
  isFilled: z.boolean(),
  categoryName: z.string().check(z.describe('The `name` of the category that the square belongs to.')),
  tokens: z.number(),
  percentage: z.number(),
  squareFullness: z.number().check(z.describe('How much of the square is filled, from 0 to 1.')),
});
const skillHead = openObject({
  name: z.string(),
  source: z.string(),
  pluginName: z.optional(z.string()),
  pluginId: z.optional(z.string()),
  path: z.optional(z.string()),
  tokens: z.number(),
});
const messageTokens = openObject({
  toolCallTokens: z.number(),
  toolResultTokens: z.number(),
  attachmentTokens: z.number().check(z.describe('What the agent adds to prompts, such as the list of skills.')),
  assistantMessageTokens: z.number(),
  userMessageTokens: z.number(),
  redirectedContextTokens: z.number(),
  unattributedTokens: z.number().check(z.describe('What belongs to none of the others.')),
  toolCallsByType: z.array(openObject({ name: z.string(), callTokens: z.number(), resultTokens: z.number() })),
  attachmentsByType: z.array(part).check(z.describe('The attachments by what they are, such as `skill_listing`.')),
});

const category = openObject({
  id: z.optional(categoryId).check(z.describe('What the part is, for programs; `name` is for people.')),
  name: z.string(),
  tokens: z.number(),
  color: z.string().check(z.describe('A colour by its name in the themes of the terminal, such as `inactive`.')),
  isDeferred: z.optional(z.boolean()).check(z.describe('True where the part is outside of the window until it is needed, and not in `totalTokens`.')),
  kind: openEnum(['used', 'free', 'buffer', 'deferred']).check(
    z.describe('`used` is what fills the window, `buffer` is kept free for a compaction, `deferred` is not loaded yet.'),
  ),
});
const mcpTool = openObject({
  name: z.string(),
  serverName: z.string(),
  tokens: z.number(),
  isLoaded: z.optional(z.boolean()).check(z.describe('Whether the tool is in the window, and not only to be looked up.')),
});
const builtinTool = openObject({
  name: z.string(),
  tokens: z.number(),
  isLoaded: z.boolean().check(z.describe('Whether the tool has come into the window since.')),
});
const agent = openObject({ agentType: z.string(), source: z.string(), pluginId: z.optional(z.string()), path: z.optional(z.string()), tokens: z.number() });
const commandTokens = openObject({
  totalCommands: z.number(),
  includedCommands: z.number().check(z.describe('How many of them are in the window.')),
  tokens: z.number(),
});
const skillTokens = openObject({
  totalSkills: z.number(),
  includedSkills: z.number().check(z.describe('How many of them are in the window.')),
  tokens: z.number(),
  skillFrontmatter: z.array(skillHead).check(z.describe('The skills, each with the tokens of its head: what the model is told of it until it is used.')),
});
const lastReply = openObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
});

/** The payload of its answer. */
export const contextUsageResponses = {
  get_context_usage: openObject({
    categories: z.array(category),
    totalTokens: z.number().check(z.describe('What fills the window: the tokens of all categories of the kind `used`.')),
    maxTokens: z.number().check(z.describe('The size of the window in tokens, with what is free or kept free.')),
    rawMaxTokens: z.number(),
    percentage: z.number().check(z.describe('How full the window is, from 0 to 100, rounded.')),
    gridRows: z.array(z.array(square)).check(z.describe('A drawing of the window: rows of squares in the colours of the categories.')),
    model: z.string(),
    memoryFiles: z.array(openObject({ path: z.string(), type: z.string(), tokens: z.number() })),
    mcpTools: z.array(mcpTool),
    mcpInstructions: z.optional(z.array(openObject({ serverName: z.string(), tokens: z.number() }))),
    deferredBuiltinTools: z.optional(z.array(builtinTool)),
    systemTools: z.optional(z.array(part)),
    systemPromptSections: z.optional(z.array(part)),
    agents: z.array(agent),
    slashCommands: z.optional(commandTokens),
    skills: z.optional(skillTokens),
    autoCompactThreshold: z.optional(z.number()).check(z.describe('How many tokens make the agent compact the conversation by itself.')),
    isAutoCompactEnabled: z.boolean(),
    messageBreakdown: z.optional(messageTokens).check(z.describe('What the tokens of the category `messages` consist of.')),
    apiUsage: z.nullable(lastReply).check(z.describe('What the API reported with its last reply; null before the first one.')),
    autocompactSource: z.optional(z.string()).check(z.describe('Where the limit for compactions comes from, such as `model-default`.')),
  }).register(protocol, { id: 'SDKControlGetContextUsageResponse', description: 'What fills the context window.' }),
};
