import { parseJson } from '@proto/core/framing';
import { isObject } from '@proto/testkit/steps';

import type { HostSession } from '../host-session.ts';

const LARGE_LINE = 1024 * 1024;
const KNOWN_TYPES = ['system', 'assistant', 'user', 'result', 'stream_event'];
const KNOWN_SUBTYPES = ['init', 'status', 'session_state_changed'];
const KNOWN_BLOCKS = ['text', 'tool_use', 'tool_result', 'thinking', 'image'];

/** The requirement that a host breaks if it ends the session now: the requirement of the last unusual line that the agent has written. */
export function blamedRequirement({ written }: Pick<HostSession, 'written'>): string {
  for (const entry of written.toReversed()) {
    if (!('line' in entry) || entry.dir !== 'from-agent') continue;
    const requirement = requirementOf(entry.line);
    if (requirement !== undefined) return requirement;
  }
  return 'TRN-15';
}

/** Returns the requirement about lines of this kind. `undefined` for a usual message. */
function requirementOf(line: string): string | undefined {
  const text = line.trim();
  if (text === '') return 'FRM-5';
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return text.startsWith('{') ? 'FRM-25' : 'FRM-24';
  }
  if (!isObject(value)) return value === null ? 'FRM-26' : 'FRM-24';
  if (line.length > LARGE_LINE) return 'FRM-12';
  return text === line ? requirementOfMessage(value) : 'FRM-4';
}

function requirementOfMessage(message: Readonly<Record<string, unknown>>): string | undefined {
  const { type, subtype } = message;
  switch (type) {
    case 'keep_alive':
      return 'FRM-27';
    case 'control_request':
      return 'CTL-3';
    case 'control_response':
      return 'CTL-9';
    case 'control_cancel_request':
      return 'CTL-27';
    case 'system':
      return KNOWN_SUBTYPES.includes(String(subtype)) ? undefined : 'MSG-10';
    case 'result':
      return message['is_error'] === true ? 'TRN-63' : undefined;
    default:
      if (!KNOWN_TYPES.includes(String(type))) return 'MSG-9';
  }
  const { content } = isObject(message['message']) ? message['message'] : {};
  const isOdd = (block: unknown) => isObject(block) && !KNOWN_BLOCKS.includes(String(block['type']));
  return Array.isArray(content) && content.some(isOdd) ? 'MSG-11' : undefined;
}
