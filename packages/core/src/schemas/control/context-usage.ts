import * as z from 'zod/mini';
import { openEnum, openObject, protocol, requestOf } from '../open.ts';

/** The request about the context window. */
export const contextUsageRequests = {
  get_context_usage: requestOf('get_context_usage', {
    detail: z
      .optional(openEnum(['summary', 'full']))
      .check(z.describe('How to count the tokens. `full`, the default, counts each item by calling the model API. `summary` makes no calls.')),
  }).register(protocol, { id: 'SDKControlGetContextUsageRequest', description: 'Asks how the context window is used.' }),
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
  attachmentTokens: z.number().check(z.describe('The tokens of attachments: texts that the agent adds to prompts, such as the list of skills.')),
  assistantMessageTokens: z.number(),
  userMessageTokens: z.number(),
  redirectedContextTokens: z.number(),
  unattributedTokens: z.number().check(z.describe('The tokens that are not counted in any other member.')),
  toolCallsByType: z.array(openObject({ name: z.string(), callTokens: z.number(), resultTokens: z.number() })),
  attachmentsByType: z.array(part).check(z.describe('The tokens of the attachments by kind, such as `skill_listing`.')),
});

const category = openObject({
  id: z.optional(categoryId).check(z.describe('The id of the category, for programs. The member `name` is meant for people.')),
  name: z.string(),
  tokens: z.number(),
  color: z.string().check(z.describe("The name of a colour in the agent's terminal themes, such as `inactive`.")),
  isDeferred: z
    .optional(z.boolean())
    .check(z.describe('True if the category is loaded into the context window only when it is needed. Its tokens are not part of `totalTokens`.')),
  kind: openEnum(['used', 'free', 'buffer', 'deferred']).check(
    z.describe(
      'The kind of space that the category takes: `used` for occupied space, `free` for empty space, `buffer` for space that is kept free for a compaction, `deferred` for tokens that are not loaded yet.',
    ),
  ),
});
const mcpTool = openObject({
  name: z.string(),
  serverName: z.string(),
  tokens: z.number(),
  isLoaded: z.optional(z.boolean()).check(z.describe('Whether the tool is in the context window. If false, the model must search for the tool first.')),
});
const builtinTool = openObject({ name: z.string(), tokens: z.number(), isLoaded: z.boolean().check(z.describe('Whether the tool is in the context window.')) });
const agent = openObject({ agentType: z.string(), source: z.string(), pluginId: z.optional(z.string()), path: z.optional(z.string()), tokens: z.number() });
const commandTokens = openObject({
  totalCommands: z.number(),
  includedCommands: z.number().check(z.describe('How many of the commands are in the context window.')),
  tokens: z.number(),
});
const skillTokens = openObject({
  totalSkills: z.number(),
  includedSkills: z.number().check(z.describe('How many of the skills are in the context window.')),
  tokens: z.number(),
  skillFrontmatter: z
    .array(skillHead)
    .check(z.describe('The skills, each with the number of tokens in its frontmatter, which the model reads before it uses the skill.')),
});
const lastReply = openObject({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
});

/** The payload of the answer to this request. */
export const contextUsageResponses = {
  get_context_usage: openObject({
    categories: z.array(category),
    totalTokens: z.number().check(z.describe('The tokens in the context window: the sum of all categories of the kind `used`.')),
    maxTokens: z.number().check(z.describe('The size of the context window in tokens, including free and reserved tokens.')),
    rawMaxTokens: z.number(),
    percentage: z.number().check(z.describe('How full the context window is, from 0 to 100, rounded.')),
    gridRows: z.array(z.array(square)).check(z.describe('A drawing of the context window: rows of squares in the colours of the categories.')),
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
    autoCompactThreshold: z.optional(z.number()).check(z.describe('The number of tokens at which the agent compacts the conversation automatically.')),
    isAutoCompactEnabled: z.boolean(),
    messageBreakdown: z.optional(messageTokens).check(z.describe('A breakdown of the tokens of the category `messages`.')),
    apiUsage: z.nullable(lastReply).check(z.describe('The token counts that the model API reported with its last reply. `null` before the first reply.')),
    autocompactSource: z.optional(z.string()).check(z.describe('The source of the threshold for automatic compactions, such as `model-default`.')),
  }).register(protocol, { id: 'SDKControlGetContextUsageResponse', description: 'How the context window is used.' }),
};
