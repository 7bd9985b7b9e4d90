import type { ToolInput } from '../action.ts';
import type { Thread } from '../thread.ts';
import type { Tool, ToolResult } from './tool.ts';

/** Starts a call that goes on beyond its turn. Its result is that it has begun; its end is told, and answered in a turn of its own. */
export function startInBackground(tool: Tool, input: ToolInput, toolUseID: string, thread: Thread): ToolResult {
  const description = typeof input['description'] === 'string' ? input['description'] : String(input['command']);
  const taskId = thread.turn.background({
    description,
    task_type: 'local_bash',
    tool_use_id: toolUseID,
    async run(signal) {
      await tool.run(input, { toolUseID, signal });
      return { summary: `Background command "${description}" completed (exit code 0)` };
    },
  });
  return {
    content: `The command runs in the background, with the ID ${taskId}.`,
    output: { ...NO_OUTPUT, backgroundTaskId: taskId },
  };
}

const NO_OUTPUT = { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false };
