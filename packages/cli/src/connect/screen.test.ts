/** `sjp connect --format text` for somebody who sits at a terminal. */
import { expect, onTestFinished, test } from 'vitest';
import { AGENT, FOLDER } from '../bins.test-support.ts';
import { connect } from '../commands/connect.ts';
import { Terminal } from '../run/terminal.test-support.ts';
import { startServer, user } from '../serve/serve.test-support.ts';
import { until } from '../until.test-support.ts';

/** Somebody at a terminal, and the session they see. */
async function sitDown() {
  const server = await startServer(['--', AGENT]);
  const session = await server.newSession();
  const terminal = new Terminal(FOLDER, { NO_COLOR: '1' });
  const left = connect(server.base, { session, format: 'text', color: 'auto' }, terminal);
  onTestFinished(async () => {
    terminal.stdin.end();
    terminal.emit('SIGTERM');
    await left;
  });
  const type = (line: string) => void terminal.stdin.write(`${line}\n`);
  const shown = (text: string | RegExp) => until(() => expect(terminal.screen).toMatch(text));
  return { server, session, terminal, left, type, shown };
}

test('prompts are typed, permissions are asked for, and what is typed then is the answer', async () => {
  const { terminal, left, type, shown } = await sitDown();
  type('/bash echo allowed');
  await shown(/allow\? .*: $/);
  type('y');
  await shown(/└ allowed\n(.*\n)*✔ done/);
  type('/echo and on');
  await shown(/and on\n✔ done/);
  terminal.stdin.end();
  expect(await left).toBe(0);
  expect(terminal.listenerCount('SIGINT') + terminal.listenerCount('SIGTERM')).toBe(0);
});

test('a question that somebody else has answered is taken back', async () => {
  const { server, session, type, shown } = await sitDown();
  await server.say(session, user('/bash echo from elsewhere'));
  await shown(/allow\? .*: $/);
  const asked = (await server.logOf(session)).find(({ type: kind }) => kind === 'control_request');
  const response = { subtype: 'success', request_id: asked?.['request_id'], response: { behavior: 'allow' } };
  await server.say(session, { type: 'control_response', response });
  await shown(/└ from elsewhere/);
  // What is typed now is a prompt again.
  type('/echo still here');
  await shown(/still here\n✔ done/);
});

test('Ctrl-C interrupts the turn of whoever waits for it, and leaves otherwise', async () => {
  const { terminal, left, type, shown } = await sitDown();
  type('/slow 60');
  await shown(/1 2 3/);
  terminal.emit('SIGINT');

  // The interrupt is over as well: the next one has nothing else to end.
  await shown(/■ interrupted.*\n$/);
  terminal.emit('SIGINT');
  expect(await left).toBe(130);
});
