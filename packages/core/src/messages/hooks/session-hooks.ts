import { optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, nullable, number, openEnum, string } from '../schema.ts';
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
      agent_type: optional(string),
      source: openEnum(['startup', 'resume', 'clear', 'compact', 'fork']),
      model: optional(string),
      session_title: optional(string),
      seconds_since_last_response: optional(number),
      context_tokens: optional(number),
      prompt_cache_likely_expired: optional(boolean),
      estimated_cache_write_usd: optional(number),
    }),
  ),
  SessionEnd: lazy(() => hookInputOf('SessionEnd', { reason: exitReason })),
  PreCompact: lazy(() =>
    hookInputOf('PreCompact', { trigger: openEnum(['manual', 'auto']), custom_instructions: nullable(string) }),
  ),
  PostCompact: lazy(() =>
    hookInputOf('PostCompact', { trigger: openEnum(['manual', 'auto']), compact_summary: string }),
  ),
  PreModelSwitch: lazy(() =>
    hookInputOf('PreModelSwitch', {
      from_model: string,
      to_model: string,
      requested_model: nullable(string),
      source: openEnum(['command', 'picker', 'sdk']),
      context_tokens: number,
      prompt_cache_warm: boolean,
      cache_ttl: openEnum(['5m', '1h']),
      estimated_cache_write_usd: number,
      pricing: openEnum(['configured', 'catalog', 'default']),
    }),
  ),
  PostModelSwitch: lazy(() =>
    hookInputOf('PostModelSwitch', {
      from_model: string,
      to_model: string,
      requested_model: nullable(string),
      source: openEnum(['command', 'picker', 'sdk', 'auto', 'resume']),
      context_tokens: number,
      prompt_cache_warm: boolean,
      cache_ttl: openEnum(['5m', '1h']),
      estimated_cache_write_usd: number,
      pricing: openEnum(['configured', 'catalog', 'default']),
    }),
  ),
};

/** The answers of the hooks around a session that are particular to their event. */
export const sessionHookOutputs = {
  Setup: lazy(() => specificOutputOf('Setup', { additionalContext: optional(string) })),
  SessionStart: lazy(() =>
    specificOutputOf('SessionStart', {
      additionalContext: optional(string),
      initialUserMessage: optional(string),
      sessionTitle: optional(string),
      watchPaths: optional(array(string)),
      reloadSkills: optional(boolean),
    }),
  ),
  PreModelSwitch: lazy(() =>
    specificOutputOf('PreModelSwitch', {
      permissionDecision: optional(openEnum(['allow', 'deny', 'ask'])),
      permissionDecisionReason: optional(string),
    }),
  ),
  PostModelSwitch: lazy(() => specificOutputOf('PostModelSwitch', { additionalContext: optional(string) })),
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
