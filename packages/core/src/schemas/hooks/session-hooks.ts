import * as z from 'zod/mini';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openEnum } from '../open.ts';

export const exitReason = openEnum(['clear', 'resume', 'logout', 'prompt_input_exit', 'other'], { id: 'ExitReason', description: 'Why a session ended.' });

const ofModelSwitch = {
  from_model: z.string(),
  to_model: z.string(),
  requested_model: z.nullable(z.string()).check(z.describe('The model as it was asked for, such as an alias.')),
  context_tokens: z.number().check(z.describe('How many tokens of context the new model has to read.')),
  prompt_cache_warm: z.boolean().check(z.describe('Whether the conversation is still in the prompt cache.')),
  cache_ttl: openEnum(['5m', '1h']).check(z.describe('How long the prompt cache keeps what is written to it.')),
  estimated_cache_write_usd: z.number().check(z.describe('What it costs to write the conversation to the prompt cache anew, in US dollars, as an estimate.')),
  pricing: openEnum(['configured', 'catalog', 'default']).check(z.describe('Where the prices of the estimate come from.')),
};
const compactTrigger = openEnum(['manual', 'auto']).check(
  z.describe('`manual` for `/compact`, `auto` where the context window is full; a matcher is compared with it.'),
);

/** The inputs of the hooks around a session. */
export const sessionHookInputs = {
  Setup: hookInputOf('Setup', 'The agent is being set up, before a session begins.', {
    trigger: openEnum(['init', 'maintenance']).check(z.describe('Which flag asks for it, `--init` or `--maintenance`; a matcher is compared with it.')),
  }),
  SessionStart: hookInputOf('SessionStart', 'A session begins, or begins again.', {
    agent_type: z.optional(z.string()).check(z.describe('The agent that `--agent` chose; absent without one.')),
    source: openEnum(['startup', 'resume', 'clear', 'compact', 'fork']).check(
      z.describe('Whether it is new, is resumed, is a copy, or goes on behind `/clear` or a compaction; a matcher is compared with it.'),
    ),
    model: z.optional(z.string()),
    session_title: z.optional(z.string()).check(z.describe('The title that the session has, where it has one.')),
    seconds_since_last_response: z.optional(z.number()),
    context_tokens: z.optional(z.number()).check(z.describe('How many tokens of context the session begins with.')),
    prompt_cache_likely_expired: z.optional(z.boolean()).check(z.describe('Whether the prompt cache has probably lost the conversation.')),
    estimated_cache_write_usd: z
      .optional(z.number())
      .check(z.describe('What it costs to write the conversation to the prompt cache anew, in US dollars, as an estimate.')),
  }),
  SessionEnd: hookInputOf('SessionEnd', 'A session ends.', { reason: exitReason.check(z.describe('A matcher is compared with it.')) }),
  PreCompact: hookInputOf('PreCompact', 'The history is about to be summarised.', {
    trigger: compactTrigger,
    custom_instructions: z.nullable(z.string()).check(z.describe('What stands behind `/compact`; null or empty where nothing does.')),
  }),
  PostCompact: hookInputOf('PostCompact', 'The history was summarised.', {
    trigger: compactTrigger,
    compact_summary: z.string().check(z.describe('The summary that stands for the conversation from now on.')),
  }),
  PreModelSwitch: hookInputOf('PreModelSwitch', 'Another model is about to be used.', {
    ...ofModelSwitch,
    source: openEnum(['command', 'picker', 'sdk']).check(z.describe('What asks for it: a command, the list of models, or the `set_model` of a host.')),
  }),
  PostModelSwitch: hookInputOf('PostModelSwitch', 'Another model is used from now on.', {
    ...ofModelSwitch,
    source: openEnum(['command', 'picker', 'sdk', 'auto', 'resume']).check(
      z.describe('As for `PreModelSwitch`, or the agent by itself (`auto`), or a session that is resumed.'),
    ),
  }),
};

/** The answers of the hooks around a session that are particular to their event. */
export const sessionHookOutputs = {
  Setup: specificOutputOf('Setup', additionalContext('Text that the model is given at the beginning of the conversation.')),
  SessionStart: specificOutputOf('SessionStart', {
    ...additionalContext('Text that the model is given at the beginning of the conversation.'),
    initialUserMessage: z.optional(z.string()),
    sessionTitle: z.optional(z.string()).check(z.describe('A title for the session.')),
    watchPaths: z.optional(z.array(z.string())).check(z.describe('Absolute paths to watch: hooks of `FileChanged` are called when one of them changes.')),
    reloadSkills: z.optional(z.boolean()),
  }),
  PreModelSwitch: specificOutputOf('PreModelSwitch', {
    permissionDecision: z
      .optional(openEnum(['allow', 'deny', 'ask']))
      .check(z.describe('`ask` is a refusal where nobody can be asked, as in an agent without a terminal.')),
    permissionDecisionReason: z.optional(z.string()),
  }),
  PostModelSwitch: specificOutputOf('PostModelSwitch', additionalContext('Text that the model is given.')),
};
