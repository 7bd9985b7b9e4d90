import { assistantError } from '../assistant.ts';
import { object, optional } from '../object-schema.ts';
import { array, boolean, type Infer, lazy, string } from '../schema.ts';
import { hookInputOf, specificOutputOf } from './base.ts';

/** Schema of `BackgroundTaskSummary`. */
export const backgroundTaskSummary = lazy(() =>
  object({
    id: string,
    type: string,
    status: string,
    description: string,
    command: optional(string),
    agent_type: optional(string),
    server: optional(string),
    tool: optional(string),
    name: optional(string),
  }),
);

/** A task that runs in the background. */
export type BackgroundTaskSummary = Infer<typeof backgroundTaskSummary>;

/** Schema of `SessionCronSummary`. */
export const sessionCronSummary = lazy(() =>
  object({ id: string, schedule: string, recurring: boolean, prompt: string }),
);

/** A prompt that comes back on a schedule. */
export type SessionCronSummary = Infer<typeof sessionCronSummary>;

/** The inputs of the hooks around the end of some work. */
export const stopHookInputs = {
  Stop: lazy(() =>
    hookInputOf('Stop', {
      stop_hook_active: boolean,
      last_assistant_message: optional(string),
      background_tasks: optional(array(backgroundTaskSummary)),
      session_crons: optional(array(sessionCronSummary)),
    }),
  ),
  StopFailure: lazy(() =>
    hookInputOf('StopFailure', {
      error: assistantError,
      error_details: optional(string),
      last_assistant_message: optional(string),
    }),
  ),
  SubagentStart: lazy(() => hookInputOf('SubagentStart', { agent_id: string, agent_type: string })),
  SubagentStop: lazy(() =>
    hookInputOf('SubagentStop', {
      agent_id: string,
      agent_type: string,
      stop_hook_active: boolean,
      agent_transcript_path: string,
      last_assistant_message: optional(string),
      background_tasks: optional(array(backgroundTaskSummary)),
      session_crons: optional(array(sessionCronSummary)),
    }),
  ),
  TeammateIdle: lazy(() => hookInputOf('TeammateIdle', { teammate_name: string, team_name: string })),
  TaskCreated: lazy(() =>
    hookInputOf('TaskCreated', {
      task_id: string,
      task_subject: string,
      task_description: optional(string),
      teammate_name: optional(string),
      team_name: optional(string),
    }),
  ),
  TaskCompleted: lazy(() =>
    hookInputOf('TaskCompleted', {
      task_id: string,
      task_subject: string,
      task_description: optional(string),
      teammate_name: optional(string),
      team_name: optional(string),
    }),
  ),
};

/** The answers of the hooks around the end of some work that are particular to their event. */
export const stopHookOutputs = {
  Stop: lazy(() => specificOutputOf('Stop', { additionalContext: optional(string) })),
  SubagentStart: lazy(() => specificOutputOf('SubagentStart', { additionalContext: optional(string) })),
  SubagentStop: lazy(() => specificOutputOf('SubagentStop', { additionalContext: optional(string) })),
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
