import type { Random } from '../../schedules/random.ts';
import { pick } from './spelling.ts';
import type { Message } from './stream-reader.ts';

/** Messages that an approver may not send, each with a mark. */
const FORBIDDEN: Readonly<Record<string, (mark: string, id: string) => Message>> = {
  'a prompt': (mark) => ({ type: 'user', message: { role: 'user', content: mark } }),
  'an interrupt': (mark, id) => request(mark, id, { subtype: 'interrupt' }),
  set_model: (mark, id) => request(mark, id, { subtype: 'set_model', model: mark }),
  set_permission_mode: (mark, id) => request(mark, id, { subtype: 'set_permission_mode', mode: 'bypassPermissions' }),
  'an initialize with hooks': (mark, id) => request(mark, id, { subtype: 'initialize', hooks: { PreToolUse: [mark] } }),
  'an initialize with MCP servers': (mark, id) => request(mark, id, { subtype: 'initialize', sdkMcpServers: [mark] }),
  'an initialize with a system prompt': (mark, id) =>
    request(mark, id, { subtype: 'initialize', appendSystemPrompt: mark }),
  'an initialize with agents': (mark, id) => request(mark, id, { subtype: 'initialize', agents: { [mark]: {} } }),
  'a permission that it asks for itself': (mark, id) => request(mark, id, { subtype: 'can_use_tool', input: {} }),
  'an MCP message': (mark, id) => request(mark, id, { subtype: 'mcp_message', server_name: mark, message: {} }),
  'a request without a subtype': (mark, id) => request(mark, id, {}),
  'a cancellation': (mark, id) => ({ type: 'control_cancel_request', request_id: id, x: mark }),
  'a message of the agent': (mark) => ({ type: 'assistant', message: { role: 'assistant', content: mark } }),
  'a result': (mark) => ({ type: 'result', subtype: 'success', result: mark }),
  'a system message': (mark) => ({ type: 'system', subtype: 'init', model: mark }),
  'an increment': (mark) => ({ type: 'stream_event', event: mark }),
  'a change of the environment': (mark) => ({ type: 'update_environment_variables', variables: { A: mark } }),
  'something unknown': (mark) => ({ type: 'something_new', x: mark }),
};

/** Chooses one of them. */
export function forbidden(
  random: Random,
  mark: string,
  id: string,
): { readonly what: string; readonly message: Message } {
  const what = pick(random, Object.keys(FORBIDDEN));
  return { what, message: (FORBIDDEN[what] as (typeof FORBIDDEN)[string])(mark, id) };
}

/** Creates a valid answer to a permission request. */
export function answerTo(requestId: string, members: Message = {}, decision: Message = {}): Message {
  const response = { subtype: 'success', request_id: requestId, response: { behavior: 'allow', ...decision } };
  return { type: 'control_response', response, ...members };
}

function request(mark: string, id: string, members: Message): Message {
  return { type: 'control_request', request_id: id, request: members, x: mark };
}
