import { cutText } from '@proto/core/framing';
import { describeCall } from '@proto/permissions';
import type { RecordingEntry } from '../recording.ts';
import { blocksOf, isText, type Members, membersOf } from './members.ts';

// A description is one line, but a text from the peer may have any length.
const MAX_TEXT_LENGTH = 400;

/** The entry to describe and, if its line contains a message, this message as returned by `Timeline.push`. */
export interface DescribedFrame {
  /** The entry of the frame. */
  readonly entry: RecordingEntry;
  /** The message in the entry's line. Undefined for an entry without a message. */
  readonly message: Members | undefined;
}

/**
 * Describes the content of a frame in one line of at most 400 characters, without the frame's name: for example the text of a reply, a tool call, or
 * the decision in an answer. The description contains unchanged text from the peer, so escape it before you show it on a terminal or in a page.
 */
export function describeFrame({ entry, message }: DescribedFrame): string {
  const text = message === undefined ? describeEvent(entry) : describeMessage(message);
  const line = text
    .slice(0, 4 * MAX_TEXT_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > MAX_TEXT_LENGTH ? `${cutText(line, MAX_TEXT_LENGTH - 1)}…` : line;
}

function describeEvent(entry: RecordingEntry): string {
  if ('line' in entry) return entry.line;
  if ('lost' in entry) return entry.excerpt;
  if ('end' in entry) return 'this side sends nothing more';
  if ('link' in entry) {
    const resumed = entry.resumed === false ? ', not resumed: messages may be missing' : '';
    return `the link is ${entry.link} (attempt ${entry.attempt})${resumed}`;
  }
  if ('notice' in entry) return JSON.stringify(entry.data) ?? '';
  if ('api' in entry) return describeExchange(entry);
  const { closed, error, status } = entry;
  const by = { local: 'closed by the side that records', peer: 'closed by the other side', link: 'the link ended' };
  const details = [error, status === undefined ? undefined : `status ${status}`].filter(
    (detail) => detail !== undefined,
  );
  return `${by[closed]}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}

function describeExchange(exchange: Extract<RecordingEntry, { api: number }>): string {
  const { api, method, path, model, status, event, data, failed } = exchange;
  const facts = [`exchange ${api}`, method, path, model, status, event, data, failed];
  return facts.filter((fact) => fact !== undefined).join(' ');
}

function describeMessage(message: Members): string {
  switch (message['type']) {
    case 'user':
    case 'assistant':
      return describeContent(message);
    case 'stream_event':
      return describeStreamEvent(membersOf(message['event']) ?? {});
    case 'result':
      return describeResult(message);
    case 'control_request':
      return describeRequest(membersOf(message['request']) ?? {});
    case 'control_response':
      return describeAnswer(membersOf(message['response']) ?? {});
    case 'system':
      return describeSystem(message);
    default:
      return jsonWithout(message, ['type', 'uuid', 'session_id']);
  }
}

function describeContent(message: Members): string {
  const { content } = membersOf(message['message']) ?? {};
  if (typeof content === 'string') return quoted(content);
  return blocksOf(message).map(describeBlock).join(' · ');
}

function describeBlock(block: Members): string {
  const { type, text, thinking, name, input, content, is_error: isError } = block;
  if (type === 'text') return quoted(text);
  if (type === 'thinking') return `thinking ${quoted(thinking)}`;
  if (type === 'tool_use') return describeTool(name, input);
  if (type !== 'tool_result') return `[${String(type)}]`;
  const blocks = Array.isArray(content) ? content.map(membersOf).filter((part) => part !== undefined) : [];
  const result = typeof content === 'string' ? quoted(content) : blocks.map(describeBlock).join(' · ');
  return `${isError === true ? 'failed' : 'result'} ${result}`;
}

function describeTool(name: unknown, input: unknown): string {
  return describeCall({ tool: isText(name) ? name : 'tool', input: membersOf(input) ?? {} }, '');
}

function describeStreamEvent(event: Members): string {
  const { text, thinking, partial_json: json, stop_reason: stop } = membersOf(event['delta']) ?? {};
  const piece = [text, thinking, json].find((part) => typeof part === 'string');
  const detail = piece === undefined ? stop : quoted(piece);
  return isText(detail) ? `${String(event['type'])} ${detail}` : String(event['type']);
}

function describeResult(result: Members): string {
  const { duration_ms: ms, num_turns: rounds, total_cost_usd: cost, result: text, errors, is_error: isError } = result;
  const costs = [
    typeof ms === 'number' && `${(ms / 1000).toFixed(1)} s`,
    typeof rounds === 'number' && `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
    typeof cost === 'number' && `$${cost.toFixed(4)}`,
  ].filter((part) => part !== false);
  const said = Array.isArray(errors) && errors.length > 0 ? errors.map(String).join('; ') : text;
  return [isError === true ? 'failed' : 'done', costs.join(', '), isText(said) ? quoted(said) : '']
    .filter(isText)
    .join(' · ');
}

function describeRequest(request: Members): string {
  const { subtype, tool_name: tool, input, server_name: server, message } = request;
  if (subtype === 'can_use_tool') return describeTool(tool, input);
  if (subtype === 'hook_callback')
    return `${String(membersOf(input)?.['hook_event_name'])} ${jsonWithout(membersOf(input), ['hook_event_name', 'session_id', 'transcript_path', 'cwd'])}`;
  if (subtype === 'mcp_message') return `${String(server)}: ${describeRpc(membersOf(message) ?? {})}`;
  return jsonWithout(request, ['subtype']);
}

function describeRpc({ method, params, result, error }: Members): string {
  if (isText(method)) return params === undefined ? method : `${method} ${JSON.stringify(params)}`;
  return error === undefined ? `result ${JSON.stringify(result)}` : `error ${JSON.stringify(error)}`;
}

function describeAnswer(response: Members): string {
  const { subtype, error, response: payload } = response;
  if (subtype === 'error') return isText(error) ? error : jsonWithout(response, ['subtype', 'request_id']);
  const answer = membersOf(payload);
  if (!isText(answer?.['behavior'])) return jsonWithout(answer, []);
  const { behavior, message, updatedInput: input } = answer;
  return [behavior, isText(message) && quoted(message), input !== undefined && `with ${JSON.stringify(input)}`]
    .filter(isText)
    .join(' ');
}

function describeSystem(message: Members): string {
  const { subtype, model, cwd, tools, permissionMode: mode, claude_code_version: version } = message;
  if (subtype !== 'init') return jsonWithout(message, ['type', 'subtype', 'uuid', 'session_id']);
  const count = Array.isArray(tools) ? `${tools.length} tools` : undefined;
  return [version, model, mode, count, cwd].filter(isText).join(', ');
}

function jsonWithout(members: Members | undefined, without: readonly string[]): string {
  const rest = Object.entries(members ?? {}).filter(([name, value]) => !without.includes(name) && value !== null);
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest));
}

function quoted(text: unknown): string {
  // Texts are shortened before they are quoted, so that a text of many megabytes is not copied.
  return JSON.stringify(String(text).slice(0, 2 * MAX_TEXT_LENGTH));
}
