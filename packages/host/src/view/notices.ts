import type { WireMessage } from '@proto/core/framing';
import { blocksIn, textIn, textOr } from './content.ts';
import type { NoticeItem } from './snapshot.ts';

/** What a message reports to the user; `undefined` for a message that is not shown, and `'unknown'` for a message of unknown type. */
export function noticeIn(message: WireMessage): Pick<NoticeItem, 'level' | 'text'> | undefined | 'unknown' {
  const { type, subtype, content, text, error } = message;
  switch (type === 'system' ? subtype : type) {
    case 'informational':
      return { level: message['level'] === 'warning' ? 'warning' : 'info', text: textOr(content, '') };
    case 'notification':
      return { level: message['priority'] === 'immediate' ? 'warning' : 'info', text: textOr(text, '') };
    case 'local_command_output':
      return { level: 'info', text: textOr(content, '') };
    case 'model_refusal_fallback':
    case 'model_refusal_no_fallback':
    case 'model_fallback':
      return { level: 'warning', text: textOr(content, '') };
    case 'permission_denied':
      return { level: 'warning', text: textOr(message['message'], '') };
    case 'compact_boundary':
      return { level: 'info', text: 'The conversation was compacted.' };
    case 'conversation_reset':
      return { level: 'info', text: 'A new conversation begins.' };
    case 'tool_use_summary':
      return { level: 'info', text: textOr(message['summary'], '') };
    case 'session_writes_lost':
      return { level: 'error', text: 'The agent could not save the whole session, because its disk is full.' };
    case 'agent_exited':
      return { level: 'error', text: howItEnded(message) };
    case 'mirror_error':
      return { level: 'error', text: textOr(error, '') };
    case 'plugin_install':
    case 'auth_status':
      return typeof error === 'string' ? { level: 'error', text: error } : undefined;
    case 'user':
      return textOfAgent(message);
    default:
      return SILENT.has(String(type === 'system' ? subtype : type)) ? undefined : 'unknown';
  }
}

/** The messages that only programs need, and those that another part of a snapshot shows. */
const SILENT = new Set([
  'keep_alive',
  'control_request',
  'control_response',
  'control_cancel_request',
  'stream_event',
  'assistant',
  'result',
  'tool_progress',
  'rate_limit_event',
  'prompt_suggestion',
  'active_goal',
  'command_lifecycle',
  'transcript_mirror',
  'init',
  'status',
  'api_retry',
  'control_request_progress',
  'hook_started',
  'hook_progress',
  'hook_response',
  'task_started',
  'task_updated',
  'task_progress',
  'task_notification',
  'background_tasks_changed',
  'thinking_tokens',
  'session_state_changed',
  'session_title_changed',
  'worker_shutting_down',
  'commands_changed',
  'files_persisted',
  'memory_recall',
  'elicitation_complete',
  'ui_invalidate',
]);

/** A `user` message that no person has written: what a hook says to the model, a summary, or the output of a command. */
function textOfAgent(message: WireMessage): Pick<NoticeItem, 'level' | 'text'> | undefined {
  const text = textIn(blocksIn(message));
  const output = /^<local-command-std(?:out|err)>([^]*?)(?:<\/local-command-std(?:out|err)>)?$/.exec(text);
  if (output !== null) return { level: 'info', text: output[1] ?? '' };
  return message['isSynthetic'] === true && text !== '' ? { level: 'info', text } : undefined;
}

function howItEnded({ code, signal, error }: WireMessage): string {
  if (typeof error === 'string') return error;
  return `The agent ${typeof signal === 'string' ? `was ended by ${signal}` : `has exited with code ${String(code)}`}.`;
}
