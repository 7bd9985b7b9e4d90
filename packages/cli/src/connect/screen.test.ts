/** Tests of `sjp connect --format text` for a user at a terminal. */
import { expect, onTestFinished, test } from 'vitest';
import { AGENT, FOLDER } from '../bins.test-support.ts';
import { connect } from '../commands/connect.ts';
import { Terminal } from '../run/terminal.test-support.ts';
import { startServer, user } from '../serve/serve.test-support.ts';
import { until } from '../until.test-support.ts';

/** Connects a terminal to a session. */
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

test('typed lines are prompts, and while a permission question is open the typed line is its answer', async () => {
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

test('a question that another client has answered is withdrawn', async () => {
  const { server, session, type, shown } = await sitDown();
  await server.say(session, user('/bash echo from elsewhere'));
  await shown(/allow\? .*: $/);
  const asked = (await server.logOf(session)).find(({ type: kind }) => kind === 'control_request');
  const response = { subtype: 'success', request_id: asked?.['request_id'], response: { behavior: 'allow' } };
  await server.say(session, { type: 'control_response', response });
  await shown(/└ from elsewhere/);
  // From now on, a typed line is a prompt again.
  type('/echo still here');
  await shown(/still here\n✔ done/);
});

test('Ctrl-C interrupts a running turn, and otherwise ends the command', async () => {
  const { terminal, left, type, shown } = await sitDown();
  type('/slow 60');
  await shown(/1 2 3/);
  terminal.emit('SIGINT');

  // The interrupt has also settled, so the next Ctrl-C ends the command.
  await shown(/■ interrupted.*\n$/);
  terminal.emit('SIGINT');
  expect(await left).toBe(130);
});
