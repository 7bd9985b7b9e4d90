import { createHostSession } from '@proto/host';
import { processEndOf, spawnAgent } from '@proto/transport-stdio';
import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';

// The agent answers each prompt, ignores the end of its input, and does not exit.
const STAYING = `
  const result = { type: 'result', subtype: 'success', is_error: false, result: 'done' };
  process.stdin.on('data', (chunk) => {
    if (String(chunk).includes('"user"')) console.log(JSON.stringify(result));
  });
  setInterval(() => {}, 1000);`;

verifies(
  'PROC-8',
  'an agent that stays after its result is ended after a grace period, and the run counts as a success',
  async () => {
    const transport = spawnAgent({ command: process.execPath, args: ['-e', STAYING], closeGraceMs: 50 });
    const session = createHostSession(transport);
    await session.prompt('anything').accepted;
    for await (const message of session.untilResult()) expect(message).toMatchObject({ result: 'done' });
    await session.close();
    expect(session.state.last?.outcome).toBe('success');
    const close = await session.closed;
    const { by, error } = close;
    const end = processEndOf(close);
    expect([by, error, end?.killed, end?.signal]).toEqual(['local', undefined, true, 'SIGTERM']);
  },
);
