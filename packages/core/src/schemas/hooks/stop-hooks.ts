import * as z from 'zod/mini';
import { assistantError } from '../assistant.ts';
import { additionalContext, hookInputOf, specificOutputOf } from './base.ts';
import { openObject, protocol } from '../open.ts';

export const backgroundTaskSummary = openObject({
  id: z.string().check(z.describe('The `task_id` in messages about the task.')),
  type: z.string().check(z.describe('The kind of task, such as `local_bash` or `local_agent`.')),
  status: z.string(),
  description: z.string(),
  command: z.optional(z.string()).check(z.describe('The command line, if the task is a command.')),
  agent_type: z.optional(z.string()).check(z.describe('The kind of the subagent, if the task is a subagent.')),
  server: z.optional(z.string()).check(z.describe('The MCP server, if the task is a call to an MCP tool.')),
  tool: z.optional(z.string()).check(z.describe('The MCP tool, if the task is a call to an MCP tool.')),
  name: z.optional(z.string()),
}).register(protocol, { id: 'BackgroundTaskSummary', description: 'A task that runs in the background.' });

export const sessionCronSummary = openObject({
  id: z.string(),
  schedule: z.string(),
  recurring: z.boolean().check(z.describe('Whether the prompt runs repeatedly. If false, it runs once.')),
  prompt: z.string(),
}).register(protocol, { id: 'SessionCronSummary', description: 'A prompt that runs on a schedule.' });

const ofSubagent = {
  agent_id: z.string().check(z.describe('The id of the subagent, which is also the `task_id` of its task.')),
  agent_type: z.string().check(z.describe('The kind of the subagent, such as `Explore`. The matchers of hooks are compared with this value.')),
};
const ofTask = {
  task_id: z.string(),
  task_subject: z.string().check(z.describe('The title of the task.')),
  task_description: z.optional(z.string()),
  team_name: z.optional(z.string()).check(z.describe('Deprecated.')),
};
const goingOn = { background_tasks: z.optional(z.array(backgroundTaskSummary)), session_crons: z.optional(z.array(sessionCronSummary)) };

/** The inputs of the hooks for turns, subagents and tasks. Most of these hooks run when the work ends. */
export const stopHookInputs = {
  Stop: hookInputOf('Stop', 'The agent is about to end its turn.', {
    stop_hook_active: z
      .boolean()
      .check(
        z.describe(
          'True if the turn continues only because a `Stop` hook prevented it from ending. A hook that ignores this member and always blocks keeps the turn running forever.',
        ),
      ),
    last_assistant_message: z.optional(z.string()).check(z.describe('The text of the last reply.')),
    ...goingOn,
  }),
  StopFailure: hookInputOf('StopFailure', 'A turn ended with an error of the model API.', {
    error: assistantError.check(z.describe('The kind of the error. The matchers of hooks are compared with this value.')),
    error_details: z.optional(z.string()).check(z.describe('Details of the error, such as `429 Too Many Requests`.')),
    last_assistant_message: z
      .optional(z.string())
      .check(z.describe("The error as the conversation shows it. In other hooks, this member contains the model's last reply.")),
  }),
  SubagentStart: hookInputOf('SubagentStart', 'A subagent starts.', { ...ofSubagent }),
  SubagentStop: hookInputOf('SubagentStop', 'A subagent is about to end.', {
    ...ofSubagent,
    stop_hook_active: z.boolean().check(z.describe('True if the subagent continues only because a `SubagentStop` hook prevented it from ending.')),
    agent_transcript_path: z.string().check(z.describe("The path of the subagent's transcript. `transcript_path` is the path of the session's transcript.")),
    last_assistant_message: z.optional(z.string()).check(z.describe("The text of the subagent's last reply.")),
    ...goingOn,
  }),
  TeammateIdle: hookInputOf('TeammateIdle', 'A teammate has nothing to do.', {
    teammate_name: z.string(),
    team_name: z.string().check(z.describe('Deprecated.')),
  }),
  TaskCreated: hookInputOf('TaskCreated', 'A task is about to be created.', {
    ...ofTask,
    teammate_name: z.optional(z.string()).check(z.describe('The teammate that creates the task, if a teammate creates it.')),
  }),
  TaskCompleted: hookInputOf('TaskCompleted', 'A task is about to be completed.', {
    ...ofTask,
    teammate_name: z.optional(z.string()).check(z.describe('The teammate that completes the task, if a teammate completes it.')),
  }),
};

/** The event-specific answer members of the hooks for turns, subagents and tasks. */
export const stopHookOutputs = {
  Stop: specificOutputOf('Stop', additionalContext('Text for the model. The turn then continues with this text.')),
  SubagentStart: specificOutputOf('SubagentStart', additionalContext('Text for the subagent, which is added at the start of its conversation.')),
  SubagentStop: specificOutputOf('SubagentStop', { additionalContext: z.optional(z.string()) }),
};
