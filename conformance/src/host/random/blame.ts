import { parseJson } from '@proto/core/framing';
import { isObject } from '@proto/testkit/steps';

import { levelOfRequirement } from '../../cases/suite.ts';
import type { HostSession } from '../host-session.ts';

const LARGE_LINE = 1024 * 1024;
// A longer line arrives in several chunks.
const PIPE_SIZE = 60_000;
const KNOWN_TYPES = ['system', 'assistant', 'user', 'result', 'stream_event', 'control_request'];
const KNOWN_SUBTYPES = ['init', 'status', 'session_state_changed'];
const KNOWN_BLOCKS = ['text', 'tool_use', 'tool_result', 'thinking', 'image'];

/**
 * The requirement that a host breaks if it ends the session now: the requirement of the last unusual line that the agent has written since the last
 * request that the host has answered. A line after which a host need not continue is blamed first.
 */
export function blamedRequirement({ written }: Pick<HostSession, 'written'>): string {
  const answered = new Set<unknown>();
  let blamed: string | undefined;
  for (const entry of written.toReversed()) {
    if (!('line' in entry)) continue;
    const { type, response, request_id: id } = messageOf(entry.line);
    if (entry.dir === 'from-host' && isObject(response)) answered.add(response['request_id']);
    if (entry.dir !== 'from-agent') continue;
    // The host has read everything before this request.
    if (type === 'control_request' && answered.has(id)) break;
    const requirement = requirementOf(entry.line);
    if (requirement !== undefined && levelOfRequirement(requirement) !== 'must') return requirement;
    blamed ??= requirement;
  }
  return blamed ?? 'TRN-15';
}

function messageOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseJson(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The requirement about reading that a host breaks if it does not read a line like this. `undefined` for a usual line. */
export function readingRequirement(line: string): string | undefined {
  if (/[\u0085\u2028\u2029]/.test(line)) return 'FRM-3';
  if (line.length > LARGE_LINE) return 'FRM-12';
  return line.length > PIPE_SIZE ? 'FRM-7' : undefined;
}

/** Returns the requirement about lines of this kind. `undefined` for an ordinary message. */
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
  if (text !== line) return 'FRM-4';
  return requirementOfMessage(value) ?? readingRequirement(line);
}

function requirementOfMessage(message: Readonly<Record<string, unknown>>): string | undefined {
  const { type, subtype } = message;
  switch (type) {
    case 'keep_alive':
      return 'FRM-27';
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
