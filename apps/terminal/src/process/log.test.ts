import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog, type LogOptions } from './log.ts';

function logOf(options: LogOptions) {
  const out = new PassThrough();
  return { log: createLog(out, { now: () => 0, ...options }), said: () => String(out.read() ?? '') };
}

test('a text log has the text of a line, and a JSON log its facts', () => {
  const entry = { level: 'info', event: 'listening', text: 'listening at a', fields: { base: 'a' } } as const;
  const people = logOf({});
  people.log.write(entry);
  expect(people.said()).toBe('listening at a\n');
  const programs = logOf({ format: 'json' });
  programs.log.write({ ...entry, fields: { base: 'two\nlines' } });
  const line = { time: '1970-01-01T00:00:00.000Z', level: 'info', event: 'listening', base: 'two\nlines' };
  expect(programs.said()).toBe(`${JSON.stringify(line)}\n`);
});

test('a log leaves out what matters less than its level', () => {
  const { log, said } = logOf({ level: 'warn' });
  for (const level of ['error', 'warn', 'info'] as const) log.write({ level, event: '', text: level });
  expect(said()).toBe('error\nwarn\n');
});

test.each([
  ['', 'info', false, false],
  ['', 'debug', true, true],
  ['sjp:*', 'info', true, true],
  ['express:*, sjp:http', 'info', true, false],
  ['* -sjp:http', 'info', false, true],
  ['sjp.http', 'info', false, false],
] as const)('DEBUG=%j at the level %s: requests %s, appends %s', (debug, level, http, store) => {
  const { log } = logOf({ debug, level });
  expect([log.debugs('http'), log.debugs('store')]).toEqual([http, store]);
});
