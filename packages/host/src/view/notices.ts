import type { WireMessage } from '@proto/core/framing';
import { blocksIn, textIn, textOr } from './content.ts';
import type { NoticeItem } from './snapshot.ts';

/** The level of a notice, the member with its text, and its text if the member is missing. A message without a text is not shown. */
type Shown = readonly [level: NoticeItem['level'], member?: string, text?: string];

const SHOWN: Readonly<Record<string, Shown>> = {
  informational: ['info', 'content'],
  notification: ['info', 'text'],
  local_command_output: ['info', 'content'],
  tool_use_summary: ['info', 'summary'],
  compact_boundary: ['info', '', 'The conversation was compacted.'],
  conversation_reset: ['info', '', 'A new conversation begins.'],
  model_refusal_fallback: ['warning', 'content'],
  model_refusal_no_fallback: ['warning', 'content'],
  model_fallback: ['warning', 'content'],
  permission_denied: ['warning', 'message'],
  plugin_install: ['error', 'error'],
  auth_status: ['error', 'error'],
  mirror_error: ['error', 'error'],
  agent_exited: ['error', 'error', 'The agent has exited.'],
  session_writes_lost: ['error', '', 'The session could not be saved, because the disk is full.'],
};

/** The messages that only programs need, and those that another part of a snapshot shows. */
const SILENT =
  /^(?:keep_alive|status|api_retry|session_title_changed|commands_changed|rate_limit_event|prompt_suggestion|control_response|active_goal|transcript_mirror|control_request_progress|hook_\w+|thinking_tokens|session_state_changed|worker_shutting_down|files_persisted|memory_recall|elicitation_complete|ui_invalidate)$/;

/** What a message reports to the user; `undefined` for a message that is not shown, and `'unknown'` for a message of unknown type. */
export function noticeIn(message: WireMessage): Pick<NoticeItem, 'level' | 'text'> | undefined | 'unknown' {
  const kind = String(message.type === 'system' ? message['subtype'] : message.type);
  if (kind === 'user') return textOfAgent(message);
  if (!Object.hasOwn(SHOWN, kind)) return SILENT.test(kind) ? undefined : 'unknown';
  const [level, member = '', otherwise] = SHOWN[kind] as Shown;
  const text = textOr(message[member], otherwise);
  if (text === undefined) return undefined;
  const isUrgent = message['level'] === 'warning' || message['priority'] === 'immediate';
  return { level: isUrgent ? 'warning' : level, text };
}

/** A `user` message that no person has written: what a hook says to the model, a summary, or the output of a command. */
function textOfAgent(message: WireMessage): Pick<NoticeItem, 'level' | 'text'> | undefined {
  const text = textIn(blocksIn(message));
  const [, output] = /^<local-command-std...>([^]*?)(?:<\/local-command-std...>)?$/.exec(text) ?? [];
  const shown = output ?? (message['isSynthetic'] === true ? text : '');
  return shown === '' ? undefined : { level: 'info', text: shown };
}
