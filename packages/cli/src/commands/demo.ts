import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createSession, type Session, type SessionItem } from '@proto/core';
import { createStdioTransport } from '@proto/transport-stdio';
import { pieceOf } from '../piece-of.ts';
import { createTranscript } from '../transcript.ts';

const transcript = createTranscript(process.stdout);
const FLAGS = [
  '--output-format=stream-json',
  '--input-format=stream-json',
  '--verbose',
  '--include-partial-messages',
  '--no-session-persistence',
];

/** `sjp demo`: a host and an agent, two processes and two pipes, from the first request to the exit of the child. */
export async function demo(agentPath: string): Promise<void> {
  const child = spawn(process.execPath, [agentPath, ...FLAGS], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    await using session = createSession(createStdioTransport({ input: child.stdout, output: child.stdin }));
    say(`started the agent as process ${child.pid}`);
    await session.request({ subtype: 'initialize' }, { timeoutMs: 10_000 });
    say('the agent is ready');
    await converse(session);
    await session.end();
    const [code] = await exited;
    say(`closed the input, and the agent left with code ${code}`);
  } finally {
    // Only after a failure above: it has left by itself otherwise.
    child.kill();
  }
}

/** Three prompts: one answered, one interrupted, and one to show that the session goes on. */
async function converse(session: Session): Promise<void> {
  const items = session[Symbol.asyncIterator]();
  const interrupt = async () => {
    await session.request({ subtype: 'interrupt' });
    say('interrupt accepted');
  };
  await prompt(session, '/echo A whole answer, streamed word by word.');
  await showTurn(items);
  await prompt(session, '/slow 60');
  await showTurn(items, { after: 20, act: interrupt });
  await prompt(session, 'Are you still there?');
  await showTurn(items);
}

function say(what: string): void {
  transcript.line('host', what);
}

function prompt(session: Session, text: string): Promise<void> {
  say(`prompt: ${text}`);
  return session.emit({
    type: 'user',
    message: { role: 'user', content: text },
    parent_tool_use_id: null,
    session_id: '',
  });
}

/** Shows the answer as it streams, and how the turn ended; acts once after some pieces. */
async function showTurn(
  items: AsyncIterator<SessionItem, undefined>,
  { after = Infinity, act = async () => {} } = {},
): Promise<void> {
  let pieces = 0;
  let acted = Promise.resolve();
  for (let next = await items.next(); next.done !== true; next = await items.next()) {
    if (next.value.kind !== 'message') continue;
    const { message } = next.value;
    if (message.type === 'result') {
      await acted;
      return say(`result: ${String(message['subtype'])}`);
    }
    const piece = pieceOf(message);
    transcript.piece('agent', piece);
    if (piece !== '' && ++pieces === after) acted = act();
  }
  throw new Error('the agent ended before its result');
}
