import * as z from 'zod/mini';
import { assistantError } from '../assistant.ts';
import { hookInputOf, specificOutputOf } from './base.ts';
import { protocol } from '../open.ts';

export const backgroundTaskSummary = z
  .looseObject({
    id: z.string(),
    type: z.string(),
    status: z.string(),
    description: z.string(),
    command: z.optional(z.string()),
    agent_type: z.optional(z.string()),
    server: z.optional(z.string()),
    tool: z.optional(z.string()),
    name: z.optional(z.string()),
  })
  .register(protocol, { id: 'BackgroundTaskSummary', description: 'A task that runs in the background.' });

export const sessionCronSummary = z
  .looseObject({ id: z.string(), schedule: z.string(), recurring: z.boolean(), prompt: z.string() })
  .register(protocol, { id: 'SessionCronSummary', description: 'A prompt that comes back on a schedule.' });

/** The inputs of the hooks around the end of some work. */
export const stopHookInputs = {
  Stop: hookInputOf('Stop', {
    stop_hook_active: z.boolean(),
    last_assistant_message: z.optional(z.string()),
    background_tasks: z.optional(z.array(backgroundTaskSummary)),
    session_crons: z.optional(z.array(sessionCronSummary)),
  }).register(protocol, { id: 'StopHookInput', description: 'The agent is about to end its turn.' }),
  StopFailure: hookInputOf('StopFailure', {
    error: assistantError,
    error_details: z.optional(z.string()),
    last_assistant_message: z.optional(z.string()),
  }).register(protocol, {
    id: 'StopFailureHookInput',
    description: 'A turn ended with an error of the model service.',
  }),
  SubagentStart: hookInputOf('SubagentStart', { agent_id: z.string(), agent_type: z.string() }).register(protocol, {
    id: 'SubagentStartHookInput',
    description: 'A subagent begins.',
  }),
  SubagentStop: hookInputOf('SubagentStop', {
    agent_id: z.string(),
    agent_type: z.string(),
    stop_hook_active: z.boolean(),
    agent_transcript_path: z.string(),
    last_assistant_message: z.optional(z.string()),
    background_tasks: z.optional(z.array(backgroundTaskSummary)),
    session_crons: z.optional(z.array(sessionCronSummary)),
  }).register(protocol, { id: 'SubagentStopHookInput', description: 'A subagent is about to end.' }),
  TeammateIdle: hookInputOf('TeammateIdle', { teammate_name: z.string(), team_name: z.string() }).register(protocol, {
    id: 'TeammateIdleHookInput',
    description: 'A teammate has nothing to do.',
  }),
  TaskCreated: hookInputOf('TaskCreated', {
    task_id: z.string(),
    task_subject: z.string(),
    task_description: z.optional(z.string()),
    teammate_name: z.optional(z.string()),
    team_name: z.optional(z.string()),
  }).register(protocol, { id: 'TaskCreatedHookInput', description: 'A task is about to be created.' }),
  TaskCompleted: hookInputOf('TaskCompleted', {
    task_id: z.string(),
    task_subject: z.string(),
    task_description: z.optional(z.string()),
    teammate_name: z.optional(z.string()),
    team_name: z.optional(z.string()),
  }).register(protocol, { id: 'TaskCompletedHookInput', description: 'A task is about to be completed.' }),
};

/** The answers of the hooks around the end of some work that are particular to their event. */
export const stopHookOutputs = {
  Stop: specificOutputOf('Stop', { additionalContext: z.optional(z.string()) }).register(protocol, {
    id: 'StopHookSpecificOutput',
    description: 'What a hook of `Stop` may answer beside the common members.',
  }),
  SubagentStart: specificOutputOf('SubagentStart', { additionalContext: z.optional(z.string()) }).register(protocol, {
    id: 'SubagentStartHookSpecificOutput',
    description: 'What a hook of `SubagentStart` may answer beside the common members.',
  }),
  SubagentStop: specificOutputOf('SubagentStop', { additionalContext: z.optional(z.string()) }).register(protocol, {
    id: 'SubagentStopHookSpecificOutput',
    description: 'What a hook of `SubagentStop` may answer beside the common members.',
  }),
};
