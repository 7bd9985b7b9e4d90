import * as z from 'zod/mini';
import { assistantError } from '../assistant.ts';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openObject, protocol } from '../open.ts';

export const backgroundTaskSummary = openObject({
  id: z.string().check(z.describe('The `task_id` that messages about the task have.')),
  type: z.string().check(z.describe('The kind of task, such as `local_bash` or `local_agent`.')),
  status: z.string(),
  description: z.string(),
  command: z.optional(z.string()).check(z.describe('The command line, for a task that is one.')),
  agent_type: z.optional(z.string()).check(z.describe('Which kind of subagent, for a task that is one.')),
  server: z.optional(z.string()).check(z.describe('The MCP server, for a task of one.')),
  tool: z.optional(z.string()).check(z.describe('The tool of that MCP server.')),
  name: z.optional(z.string()),
}).register(protocol, { id: 'BackgroundTaskSummary', description: 'A task that runs in the background.' });

export const sessionCronSummary = openObject({
  id: z.string(),
  schedule: z.string(),
  recurring: z.boolean().check(z.describe('Whether it comes again and again, or once.')),
  prompt: z.string(),
}).register(protocol, { id: 'SessionCronSummary', description: 'A prompt that comes back on a schedule.' });

const ofSubagent = {
  agent_id: z.string().check(z.describe('The subagent; its `task_id` is the same.')),
  agent_type: z.string().check(z.describe('Which kind of subagent, such as `Explore`; a matcher is compared with it.')),
};
const ofTask = {
  task_id: z.string(),
  task_subject: z.string().check(z.describe('The title of the task.')),
  task_description: z.optional(z.string()),
  team_name: z.optional(z.string()).check(z.describe('Deprecated.')),
};
const goingOn = { background_tasks: z.optional(z.array(backgroundTaskSummary)), session_crons: z.optional(z.array(sessionCronSummary)) };

/** The inputs of the hooks around the end of some work. */
export const stopHookInputs = {
  Stop: hookInputOf('Stop', 'The agent is about to end its turn.', {
    stop_hook_active: z
      .boolean()
      .check(z.describe('True where the turn goes on only because such a hook did not let it end: one that always blocks would never let it.')),
    last_assistant_message: z.optional(z.string()).check(z.describe('The text of the last reply.')),
    ...goingOn,
  }),
  StopFailure: hookInputOf('StopFailure', 'A turn ended with an error of the model service.', {
    error: assistantError.check(z.describe('Which kind of error; a matcher is compared with it.')),
    error_details: z.optional(z.string()).check(z.describe('What else is known of the error, such as `429 Too Many Requests`.')),
    last_assistant_message: z.optional(z.string()).check(z.describe('The error as the conversation shows it, where other hooks have the reply of the model.')),
  }),
  SubagentStart: hookInputOf('SubagentStart', 'A subagent begins.', { ...ofSubagent }),
  SubagentStop: hookInputOf('SubagentStop', 'A subagent is about to end.', {
    ...ofSubagent,
    stop_hook_active: z.boolean().check(z.describe('True where the subagent goes on only because such a hook did not let it end.')),
    agent_transcript_path: z.string().check(z.describe('The file that keeps the conversation of the subagent; that of the session is `transcript_path`.')),
    last_assistant_message: z.optional(z.string()).check(z.describe('The text of the last reply of the subagent.')),
    ...goingOn,
  }),
  TeammateIdle: hookInputOf('TeammateIdle', 'A teammate has nothing to do.', {
    teammate_name: z.string(),
    team_name: z.string().check(z.describe('Deprecated.')),
  }),
  TaskCreated: hookInputOf('TaskCreated', 'A task is about to be created.', {
    ...ofTask,
    teammate_name: z.optional(z.string()).check(z.describe('Who creates it, where that is a teammate.')),
  }),
  TaskCompleted: hookInputOf('TaskCompleted', 'A task is about to be completed.', {
    ...ofTask,
    teammate_name: z.optional(z.string()).check(z.describe('Who completes it, where that is a teammate.')),
  }),
};

/** The answers of the hooks around the end of some work that are particular to their event. */
export const stopHookOutputs = {
  Stop: specificOutputOf('Stop', additionalContext('Text that the model is given, with which the turn goes on.')),
  SubagentStart: specificOutputOf('SubagentStart', additionalContext('Text that the subagent is given at the beginning of its conversation.')),
  SubagentStop: specificOutputOf('SubagentStop', { additionalContext: z.optional(z.string()) }),
};
