import * as z from 'zod/mini';
import { assistantError } from '../assistant.ts';
import { type Infer, lazy, object, optional } from '../schema.ts';
import { hookInputOf, specificOutputOf } from './base.ts';

/** Schema of `BackgroundTaskSummary`. */
export const backgroundTaskSummary = lazy(() =>
  object({
    id: z.string(),
    type: z.string(),
    status: z.string(),
    description: z.string(),
    command: optional(z.string()),
    agent_type: optional(z.string()),
    server: optional(z.string()),
    tool: optional(z.string()),
    name: optional(z.string()),
  }),
);

/** A task that runs in the background. */
export type BackgroundTaskSummary = Infer<typeof backgroundTaskSummary>;

/** Schema of `SessionCronSummary`. */
export const sessionCronSummary = lazy(() =>
  object({ id: z.string(), schedule: z.string(), recurring: z.boolean(), prompt: z.string() }),
);

/** A prompt that comes back on a schedule. */
export type SessionCronSummary = Infer<typeof sessionCronSummary>;

/** The inputs of the hooks around the end of some work. */
export const stopHookInputs = {
  Stop: lazy(() =>
    hookInputOf('Stop', {
      stop_hook_active: z.boolean(),
      last_assistant_message: optional(z.string()),
      background_tasks: optional(z.array(backgroundTaskSummary())),
      session_crons: optional(z.array(sessionCronSummary())),
    }),
  ),
  StopFailure: lazy(() =>
    hookInputOf('StopFailure', {
      error: assistantError(),
      error_details: optional(z.string()),
      last_assistant_message: optional(z.string()),
    }),
  ),
  SubagentStart: lazy(() => hookInputOf('SubagentStart', { agent_id: z.string(), agent_type: z.string() })),
  SubagentStop: lazy(() =>
    hookInputOf('SubagentStop', {
      agent_id: z.string(),
      agent_type: z.string(),
      stop_hook_active: z.boolean(),
      agent_transcript_path: z.string(),
      last_assistant_message: optional(z.string()),
      background_tasks: optional(z.array(backgroundTaskSummary())),
      session_crons: optional(z.array(sessionCronSummary())),
    }),
  ),
  TeammateIdle: lazy(() => hookInputOf('TeammateIdle', { teammate_name: z.string(), team_name: z.string() })),
  TaskCreated: lazy(() =>
    hookInputOf('TaskCreated', {
      task_id: z.string(),
      task_subject: z.string(),
      task_description: optional(z.string()),
      teammate_name: optional(z.string()),
      team_name: optional(z.string()),
    }),
  ),
  TaskCompleted: lazy(() =>
    hookInputOf('TaskCompleted', {
      task_id: z.string(),
      task_subject: z.string(),
      task_description: optional(z.string()),
      teammate_name: optional(z.string()),
      team_name: optional(z.string()),
    }),
  ),
};

/** The answers of the hooks around the end of some work that are particular to their event. */
export const stopHookOutputs = {
  Stop: lazy(() => specificOutputOf('Stop', { additionalContext: optional(z.string()) })),
  SubagentStart: lazy(() => specificOutputOf('SubagentStart', { additionalContext: optional(z.string()) })),
  SubagentStop: lazy(() => specificOutputOf('SubagentStop', { additionalContext: optional(z.string()) })),
};

/** The agent is about to end its turn. */
export type StopHookInput = Infer<typeof stopHookInputs.Stop>;

/** A turn ended with an error of the model service. */
export type StopFailureHookInput = Infer<typeof stopHookInputs.StopFailure>;

/** A subagent begins. */
export type SubagentStartHookInput = Infer<typeof stopHookInputs.SubagentStart>;

/** A subagent is about to end. */
export type SubagentStopHookInput = Infer<typeof stopHookInputs.SubagentStop>;

/** A teammate has nothing to do. */
export type TeammateIdleHookInput = Infer<typeof stopHookInputs.TeammateIdle>;

/** A task is about to be created. */
export type TaskCreatedHookInput = Infer<typeof stopHookInputs.TaskCreated>;

/** A task is about to be completed. */
export type TaskCompletedHookInput = Infer<typeof stopHookInputs.TaskCompleted>;

/** What a hook of `Stop` may answer beside the common members. */
export type StopHookSpecificOutput = Infer<typeof stopHookOutputs.Stop>;

/** What a hook of `SubagentStart` may answer beside the common members. */
export type SubagentStartHookSpecificOutput = Infer<typeof stopHookOutputs.SubagentStart>;

/** What a hook of `SubagentStop` may answer beside the common members. */
export type SubagentStopHookSpecificOutput = Infer<typeof stopHookOutputs.SubagentStop>;
