import * as z from 'zod/mini';
import { type Infer, lazy, openEnum, optional } from '../schema.ts';
import { hookInputOf, specificOutputOf } from './base.ts';

/** Schema of `ExitReason`. */
export const exitReason = lazy(() => openEnum(['clear', 'resume', 'logout', 'prompt_input_exit', 'other']));

/** Why a session ended. */
export type ExitReason = Infer<typeof exitReason>;

/** The inputs of the hooks around a session. */
export const sessionHookInputs = {
  Setup: lazy(() => hookInputOf('Setup', { trigger: openEnum(['init', 'maintenance']) })),
  SessionStart: lazy(() =>
    hookInputOf('SessionStart', {
      agent_type: optional(z.string()),
      source: openEnum(['startup', 'resume', 'clear', 'compact', 'fork']),
      model: optional(z.string()),
      session_title: optional(z.string()),
      seconds_since_last_response: optional(z.number()),
      context_tokens: optional(z.number()),
      prompt_cache_likely_expired: optional(z.boolean()),
      estimated_cache_write_usd: optional(z.number()),
    }),
  ),
  SessionEnd: lazy(() => hookInputOf('SessionEnd', { reason: exitReason() })),
  PreCompact: lazy(() =>
    hookInputOf('PreCompact', { trigger: openEnum(['manual', 'auto']), custom_instructions: z.nullable(z.string()) }),
  ),
  PostCompact: lazy(() =>
    hookInputOf('PostCompact', { trigger: openEnum(['manual', 'auto']), compact_summary: z.string() }),
  ),
  PreModelSwitch: lazy(() =>
    hookInputOf('PreModelSwitch', {
      from_model: z.string(),
      to_model: z.string(),
      requested_model: z.nullable(z.string()),
      source: openEnum(['command', 'picker', 'sdk']),
      context_tokens: z.number(),
      prompt_cache_warm: z.boolean(),
      cache_ttl: openEnum(['5m', '1h']),
      estimated_cache_write_usd: z.number(),
      pricing: openEnum(['configured', 'catalog', 'default']),
    }),
  ),
  PostModelSwitch: lazy(() =>
    hookInputOf('PostModelSwitch', {
      from_model: z.string(),
      to_model: z.string(),
      requested_model: z.nullable(z.string()),
      source: openEnum(['command', 'picker', 'sdk', 'auto', 'resume']),
      context_tokens: z.number(),
      prompt_cache_warm: z.boolean(),
      cache_ttl: openEnum(['5m', '1h']),
      estimated_cache_write_usd: z.number(),
      pricing: openEnum(['configured', 'catalog', 'default']),
    }),
  ),
};

/** The answers of the hooks around a session that are particular to their event. */
export const sessionHookOutputs = {
  Setup: lazy(() => specificOutputOf('Setup', { additionalContext: optional(z.string()) })),
  SessionStart: lazy(() =>
    specificOutputOf('SessionStart', {
      additionalContext: optional(z.string()),
      initialUserMessage: optional(z.string()),
      sessionTitle: optional(z.string()),
      watchPaths: optional(z.array(z.string())),
      reloadSkills: optional(z.boolean()),
    }),
  ),
  PreModelSwitch: lazy(() =>
    specificOutputOf('PreModelSwitch', {
      permissionDecision: optional(openEnum(['allow', 'deny', 'ask'])),
      permissionDecisionReason: optional(z.string()),
    }),
  ),
  PostModelSwitch: lazy(() => specificOutputOf('PostModelSwitch', { additionalContext: optional(z.string()) })),
};

/** The agent is being set up, before a session begins. */
export type SetupHookInput = Infer<typeof sessionHookInputs.Setup>;

/** A session begins, or begins again. */
export type SessionStartHookInput = Infer<typeof sessionHookInputs.SessionStart>;

/** A session ends. */
export type SessionEndHookInput = Infer<typeof sessionHookInputs.SessionEnd>;

/** The history is about to be summarised. */
export type PreCompactHookInput = Infer<typeof sessionHookInputs.PreCompact>;

/** The history was summarised. */
export type PostCompactHookInput = Infer<typeof sessionHookInputs.PostCompact>;

/** Another model is about to be used. */
export type PreModelSwitchHookInput = Infer<typeof sessionHookInputs.PreModelSwitch>;

/** Another model is used from now on. */
export type PostModelSwitchHookInput = Infer<typeof sessionHookInputs.PostModelSwitch>;

/** What a hook of `Setup` may answer beside the common members. */
export type SetupHookSpecificOutput = Infer<typeof sessionHookOutputs.Setup>;

/** What a hook of `SessionStart` may answer beside the common members. */
export type SessionStartHookSpecificOutput = Infer<typeof sessionHookOutputs.SessionStart>;

/** What a hook of `PreModelSwitch` may answer beside the common members. */
export type PreModelSwitchHookSpecificOutput = Infer<typeof sessionHookOutputs.PreModelSwitch>;

/** What a hook of `PostModelSwitch` may answer beside the common members. */
export type PostModelSwitchHookSpecificOutput = Infer<typeof sessionHookOutputs.PostModelSwitch>;
