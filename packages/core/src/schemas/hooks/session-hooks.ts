import * as z from 'zod/mini';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openEnum } from '../open.ts';

export const exitReason = openEnum(['clear', 'resume', 'logout', 'prompt_input_exit', 'other'], { id: 'ExitReason', description: 'Why a session ended.' });

const ofModelSwitch = {
  from_model: z.string(),
  to_model: z.string(),
  requested_model: z.nullable(z.string()).check(z.describe('The model as requested, for example an alias.')),
  context_tokens: z.number().check(z.describe('How many tokens of context the new model must read.')),
  prompt_cache_warm: z.boolean().check(z.describe('Whether the conversation is still in the prompt cache.')),
  cache_ttl: openEnum(['5m', '1h']).check(z.describe('How long the prompt cache keeps new entries.')),
  estimated_cache_write_usd: z.number().check(z.describe('The estimated cost of writing the conversation to the prompt cache again, in US dollars.')),
  pricing: openEnum(['configured', 'catalog', 'default']).check(z.describe('Where the prices for the estimate come from.')),
};
const compactTrigger = openEnum(['manual', 'auto']).check(
  z.describe(
    'What caused the compaction: `manual` if the user ran `/compact`, `auto` if the context window is full. The matchers of hooks are compared with this value.',
  ),
);

/** The inputs of the hooks for the life of a session. */
export const sessionHookInputs = {
  Setup: hookInputOf('Setup', 'The agent is being set up, before a session begins.', {
    trigger: openEnum(['init', 'maintenance']).check(
      z.describe('The flag that requested the setup: `--init` or `--maintenance`. The matchers of hooks are compared with this value.'),
    ),
  }),
  SessionStart: hookInputOf('SessionStart', 'A session starts, is resumed, or continues after `/clear` or a compaction.', {
    agent_type: z.optional(z.string()).check(z.describe('The agent chosen with `--agent`. Absent without this flag.')),
    source: openEnum(['startup', 'resume', 'clear', 'compact', 'fork']).check(
      z.describe(
        'Whether the session is new, is resumed, is a copy (`fork`), or continues after `/clear` or a compaction. The matchers of hooks are compared with this value.',
      ),
    ),
    model: z.optional(z.string()),
    session_title: z.optional(z.string()).check(z.describe('The title of the session. Absent if the session has no title.')),
    seconds_since_last_response: z.optional(z.number()),
    context_tokens: z.optional(z.number()).check(z.describe('How many tokens of context the session starts with.')),
    prompt_cache_likely_expired: z.optional(z.boolean()).check(z.describe('Whether the prompt cache has probably lost the conversation.')),
    estimated_cache_write_usd: z
      .optional(z.number())
      .check(z.describe('The estimated cost of writing the conversation to the prompt cache again, in US dollars.')),
  }),
  SessionEnd: hookInputOf('SessionEnd', 'A session ends.', {
    reason: exitReason.check(z.describe('Why the session ended. The matchers of hooks are compared with this value.')),
  }),
  PreCompact: hookInputOf('PreCompact', 'The agent is about to summarise the history.', {
    trigger: compactTrigger,
    custom_instructions: z.nullable(z.string()).check(z.describe('The text after `/compact`. `null` or empty if no text follows.')),
  }),
  PostCompact: hookInputOf('PostCompact', 'The agent has summarised the history.', {
    trigger: compactTrigger,
    compact_summary: z.string().check(z.describe('The summary that replaces the conversation so far.')),
  }),
  PreModelSwitch: hookInputOf('PreModelSwitch', 'The agent is about to switch to another model.', {
    ...ofModelSwitch,
    source: openEnum(['command', 'picker', 'sdk']).check(
      z.describe('What requested the switch: a command, the list of models, or a `set_model` request from the host.'),
    ),
  }),
  PostModelSwitch: hookInputOf('PostModelSwitch', 'The agent has switched to another model.', {
    ...ofModelSwitch,
    source: openEnum(['command', 'picker', 'sdk', 'auto', 'resume']).check(
      z.describe('What caused the switch: one of the sources in `PreModelSwitch`, the agent itself (`auto`), or resuming a session (`resume`).'),
    ),
  }),
};

/** The event-specific answer members of the hooks for the life of a session. */
export const sessionHookOutputs = {
  Setup: specificOutputOf('Setup', additionalContext('Text for the model, which is added at the start of the conversation.')),
  SessionStart: specificOutputOf('SessionStart', {
    ...additionalContext('Text for the model, which is added at the start of the conversation.'),
    initialUserMessage: z.optional(z.string()),
    sessionTitle: z.optional(z.string()).check(z.describe('A title for the session.')),
    watchPaths: z
      .optional(z.array(z.string()))
      .check(z.describe('Absolute paths to watch. When one of these files changes, the agent calls the `FileChanged` hooks.')),
    reloadSkills: z.optional(z.boolean()),
  }),
  PreModelSwitch: specificOutputOf('PreModelSwitch', {
    permissionDecision: z
      .optional(openEnum(['allow', 'deny', 'ask']))
      .check(z.describe('The decision about the switch. `ask` refuses the switch if no user can be asked, as in an agent without a terminal.')),
    permissionDecisionReason: z.optional(z.string()),
  }),
  PostModelSwitch: specificOutputOf('PostModelSwitch', additionalContext('Text for the model, which is added to the conversation.')),
};
