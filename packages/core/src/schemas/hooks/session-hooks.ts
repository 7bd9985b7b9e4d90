import * as z from 'zod/mini';
import { hookInputOf, specificOutputOf } from './base.ts';
import { openEnum, protocol } from '../open.ts';

export const exitReason = openEnum(['clear', 'resume', 'logout', 'prompt_input_exit', 'other'], {
  id: 'ExitReason',
  description: 'Why a session ended.',
});

/** The inputs of the hooks around a session. */
export const sessionHookInputs = {
  Setup: hookInputOf('Setup', { trigger: openEnum(['init', 'maintenance']) }).register(protocol, {
    id: 'SetupHookInput',
    description: 'The agent is being set up, before a session begins.',
  }),
  SessionStart: hookInputOf('SessionStart', {
    agent_type: z.optional(z.string()),
    source: openEnum(['startup', 'resume', 'clear', 'compact', 'fork']),
    model: z.optional(z.string()),
    session_title: z.optional(z.string()),
    seconds_since_last_response: z.optional(z.number()),
    context_tokens: z.optional(z.number()),
    prompt_cache_likely_expired: z.optional(z.boolean()),
    estimated_cache_write_usd: z.optional(z.number()),
  }).register(protocol, { id: 'SessionStartHookInput', description: 'A session begins, or begins again.' }),
  SessionEnd: hookInputOf('SessionEnd', { reason: exitReason }).register(protocol, {
    id: 'SessionEndHookInput',
    description: 'A session ends.',
  }),
  PreCompact: hookInputOf('PreCompact', {
    trigger: openEnum(['manual', 'auto']),
    custom_instructions: z.nullable(z.string()),
  }).register(protocol, { id: 'PreCompactHookInput', description: 'The history is about to be summarised.' }),
  PostCompact: hookInputOf('PostCompact', {
    trigger: openEnum(['manual', 'auto']),
    compact_summary: z.string(),
  }).register(protocol, { id: 'PostCompactHookInput', description: 'The history was summarised.' }),
  PreModelSwitch: hookInputOf('PreModelSwitch', {
    from_model: z.string(),
    to_model: z.string(),
    requested_model: z.nullable(z.string()),
    source: openEnum(['command', 'picker', 'sdk']),
    context_tokens: z.number(),
    prompt_cache_warm: z.boolean(),
    cache_ttl: openEnum(['5m', '1h']),
    estimated_cache_write_usd: z.number(),
    pricing: openEnum(['configured', 'catalog', 'default']),
  }).register(protocol, { id: 'PreModelSwitchHookInput', description: 'Another model is about to be used.' }),
  PostModelSwitch: hookInputOf('PostModelSwitch', {
    from_model: z.string(),
    to_model: z.string(),
    requested_model: z.nullable(z.string()),
    source: openEnum(['command', 'picker', 'sdk', 'auto', 'resume']),
    context_tokens: z.number(),
    prompt_cache_warm: z.boolean(),
    cache_ttl: openEnum(['5m', '1h']),
    estimated_cache_write_usd: z.number(),
    pricing: openEnum(['configured', 'catalog', 'default']),
  }).register(protocol, { id: 'PostModelSwitchHookInput', description: 'Another model is used from now on.' }),
};

/** The answers of the hooks around a session that are particular to their event. */
export const sessionHookOutputs = {
  Setup: specificOutputOf('Setup', { additionalContext: z.optional(z.string()) }).register(protocol, {
    id: 'SetupHookSpecificOutput',
    description: 'What a hook of `Setup` may answer beside the common members.',
  }),
  SessionStart: specificOutputOf('SessionStart', {
    additionalContext: z.optional(z.string()),
    initialUserMessage: z.optional(z.string()),
    sessionTitle: z.optional(z.string()),
    watchPaths: z.optional(z.array(z.string())),
    reloadSkills: z.optional(z.boolean()),
  }).register(protocol, {
    id: 'SessionStartHookSpecificOutput',
    description: 'What a hook of `SessionStart` may answer beside the common members.',
  }),
  PreModelSwitch: specificOutputOf('PreModelSwitch', {
    permissionDecision: z.optional(openEnum(['allow', 'deny', 'ask'])),
    permissionDecisionReason: z.optional(z.string()),
  }).register(protocol, {
    id: 'PreModelSwitchHookSpecificOutput',
    description: 'What a hook of `PreModelSwitch` may answer beside the common members.',
  }),
  PostModelSwitch: specificOutputOf('PostModelSwitch', { additionalContext: z.optional(z.string()) }).register(
    protocol,
    {
      id: 'PostModelSwitchHookSpecificOutput',
      description: 'What a hook of `PostModelSwitch` may answer beside the common members.',
    },
  ),
};
