import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import type { Direction } from '../messages/find-kind.ts';
import { createDriftReport, type DriftReportOptions } from './drift-report.ts';

function report(lines: readonly object[], options: Partial<DriftReportOptions> = {}) {
  const report = createDriftReport({ direction: 'auto', ...options });
  const findings = lines.flatMap((line) => report.read(JSON.stringify(line)));
  return { findings, drift: report.drift, names: report.names, lines: report.lines, valid: report.valid };
}

const request = (body: object, request_id = '1') => ({ type: 'control_request', request_id, request: body });
const answer = (response: unknown, request_id = '1') => ({
  type: 'control_response',
  response: { subtype: 'success', request_id, response },
});
const stop = { hook_event_name: 'Stop', session_id: 's', transcript_path: 't', cwd: 'c', stop_hook_active: false };

verifies('PARSE-4', 'an unknown type, member, kind or value is listed once, with its count', () => {
  const moon = { type: 'moon_rise' };
  const block = { type: 'moonlight', lumen: 3 };
  const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null });
  const { drift, lines, valid } = report([
    moon,
    user([{ type: 'text', text: 'hi', mood: 'fine' }, block, block]),
    { ...user('hi'), howl: true },
    moon,
    request({ subtype: 'set_permission_mode', mode: 'moonlit' }),
    { type: 'system', subtype: 'moon_set' },
    request({ subtype: 'hook_callback', callback_id: 'h', input: { ...stop, phase: 'full' } }, '2'),
    request({ subtype: 'hook_callback', callback_id: 'h', input: { hook_event_name: 'MoonRise' } }, '3'),
  ]);
  const found = drift.map(({ code, name, path, value, line, count }) => [code, name, path, value, line, count]);
  expect(found).toEqual([
    ['unknown_type', 'moon_rise', undefined, undefined, 1, 2],
    ['unknown_member', 'user', 'message.content[].mood', undefined, 2, 1],
    ['unknown_kind', 'user', 'message.content[].type', 'moonlight', 2, 2],
    ['unknown_member', 'user', 'howl', undefined, 3, 1],
    ['unknown_value', 'control_request/set_permission_mode', 'request.mode', 'moonlit', 5, 1],
    ['unknown_type', 'system/moon_set', undefined, undefined, 6, 1],
    ['unknown_member', 'control_request/hook_callback', 'request.input.phase', undefined, 7, 1],
    ['unknown_kind', 'control_request/hook_callback', 'request.input.hook_event_name', 'MoonRise', 8, 1],
  ]);
  expect([lines, valid]).toEqual([8, 8]);
});

describe('the drift report of a stream', () => {
  test('checks an answer against its request, if the request was in the stream', () => {
    const asked = request({ subtype: 'interrupt' });
    expect(report([asked, answer({ still_queued: [1] })]).findings).toEqual([
      expect.objectContaining({ code: 'invalid', line: 2, path: 'response.response.still_queued.0' }),
    ]);
    expect(report([answer({ still_queued: [1] })]).findings).toEqual([]);
    expect(report([asked, answer({ still_queued: [], howl: 1 })]).drift).toMatchObject([
      { code: 'unknown_member', path: 'response.response.howl' },
    ]);
  });

  test('does not check an answer whose id two open requests share', () => {
    const permission = request({ subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' });
    expect(report([request({ subtype: 'interrupt' }), permission, answer({ behavior: 'maybe' })]).findings).toEqual([]);
  });

  test('checks an answer against the request of the other side, if the side of each line is known', () => {
    const each = createDriftReport({ direction: 'auto' });
    const permission = request({ subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' });
    const from = (writer: Direction, message: object) => each.read(JSON.stringify(message), undefined, writer);
    from('from-host', request({ subtype: 'interrupt' }));
    from('from-agent', permission);
    expect(from('from-agent', answer({ still_queued: [1] }))).toMatchObject([{ code: 'invalid' }]);
    expect(from('from-host', answer({ behavior: 'maybe' }))).toMatchObject([{ code: 'invalid' }]);
  });

  test('gives each issue of an invalid line its path', () => {
    const { findings, valid } = report([request({ subtype: 'mcp_toggle', enabled: 'yes' })]);
    expect(valid).toBe(0);
    expect(findings.map(({ severity, name, path }) => [severity, name, path])).toEqual([
      ['error', 'control_request', 'request.serverName'],
      ['error', 'control_request', 'request.enabled'],
    ]);
  });

  test('counts lines that are not JSON and lines that could not be read', () => {
    const stream = createDriftReport({ direction: 'from-agent' });
    expect(stream.read('{')).toMatchObject([{ code: 'not_json', line: 1 }]);
    expect(stream.unreadable('too long')).toMatchObject({ code: 'not_json', line: 2, message: 'too long' });
    expect([stream.lines, stream.valid]).toEqual([2, 0]);
  });

  test('keeps at most 10 000 names, and still counts the names that it has', () => {
    const stream = createDriftReport({ direction: 'from-agent' });
    const names = Array.from({ length: 10_001 }, (_, n) => `moon_${n}`);
    for (const type of [...names, 'moon_0']) stream.read(JSON.stringify({ type }));
    expect([stream.names.size, stream.names.get('moon_0'), stream.lines]).toEqual([10_000, 2, 10_002]);
  });

  test('cuts a long value to its first 80 characters', () => {
    const [finding] = report([request({ subtype: 'set_permission_mode', mode: 'x'.repeat(1000) })]).drift;
    expect(finding?.value).toBe('x'.repeat(80));
  });
});
