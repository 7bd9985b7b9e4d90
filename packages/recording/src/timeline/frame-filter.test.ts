import { describe, expect, test } from 'vitest';
import type { RecordingEntry } from '../recording.ts';
import { FrameFilterError, parseFrameFilter } from './frame-filter.ts';
import { Timeline } from './timeline.ts';

const lines: readonly RecordingEntry[] = [
  { t: 0, dir: 'from-host', line: '{"type":"user","message":{"role":"user","content":"Run npm test"}}' },
  {
    t: 10,
    dir: 'from-agent',
    line: '{"type":"control_request","request_id":"1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t"}}',
  },
  {
    t: 900,
    dir: 'from-host',
    line: '{"type":"control_response","response":{"subtype":"success","request_id":"1","response":{"behavior":"deny"}}}',
  },
  { t: 901, dir: 'from-agent', line: '{"type":"moon_rise","text":"npm test failed"}' },
  { t: 902, dir: 'from-agent', line: '{' },
  { t: 903, dir: 'from-host', line: '{"type":"control_response","response":{"subtype":"success","request_id":"1"}}' },
  { t: 904, dir: 'from-agent', line: '{"type":"result","subtype":"error_max_turns","is_error":true}' },
  { t: 905, dir: 'from-host', lost: 'overflow', excerpt: 'abc' },
  { t: 906, link: 'down', attempt: 1 },
];

function shown(filter: string): number[] {
  const timeline = new Timeline();
  for (const entry of lines) timeline.push(entry);
  const passes = parseFrameFilter(filter);
  return lines.flatMap((entry, index) =>
    passes(timeline, timeline.frame(index), () => ('line' in entry ? entry.line : '')) ? [index] : [],
  );
}

describe('a filter shows', () => {
  test.each([
    ['', [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['type:user', [0]],
    ['type:control_request', [1]],
    ['type:can_use_tool', [1]],
    ['type:control_*', [1, 2, 5]],
    ['type:result/error_max_turns', [6]],
    ['type:result/error', []],
    ['type:user,moon_rise', [0, 3]],
    ['type:link', [8]],
    ['dir:host', [0, 2, 5, 7]],
    ['dir:from-agent', [1, 3, 4, 6]],
    ['span:permission', [1, 2]],
    ['span:turn', [0, 6]],
    ['status:error', [0, 6]],
    ['status:ok', [1, 2]],
    ['status:unmatched', [5]],
    ['status:unknown', [3]],
    ['status:invalid', [4, 6, 7]],
    ['status:lost', [7]],
    ['duration:>500ms', [0, 1, 2, 6]],
    ['duration:>0.9s', [0, 6]],
    ['duration:<900ms', [1, 2]],
    ['duration:<1m dir:agent', [1, 6]],
    ['NPM', [0, 3]],
    ['text:npm dir:agent', [3]],
    ['"run npm"', [0]],
    ['text:"npm test"', [0, 3]],
    ['-type:control_* -dir:agent', [0, 7, 8]],
    ['-npm dir:host', [2, 5, 7]],
  ])('%s: %j', (filter, frames) => {
    expect(shown(filter)).toEqual(frames);
  });
});

describe('a filter is refused', () => {
  test.each([
    ['npm moon:rise', 4, 'unknown key moon'],
    ['dir:left', 0, 'left is not one of host, from-host, agent, from-agent'],
    ['span:permission,moon', 0, 'moon is not one of turn'],
    ['status:good', 0, 'good is not one of open'],
    ['duration:500', 0, '"500" is not a duration'],
    ['duration:>5h', 0, '">5h" is not a duration'],
    ['toString:x', 0, 'unknown key toString'],
  ])('%s', (filter, position, message) => {
    expect(() => parseFrameFilter(filter)).toThrow(FrameFilterError);
    expect(() => parseFrameFilter(filter)).toThrow(message);
    expect(() => parseFrameFilter(filter)).toThrow(expect.objectContaining({ code: 'bad-filter', position }));
  });
});
