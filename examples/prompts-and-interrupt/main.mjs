// A conversation with one agent: several prompts, an interrupt, a change of the model, and an orderly end.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { createTextAssembler, withHost } from '@proto/host';
import { processEndOf, stdio } from '@proto/transport-stdio';

const command = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const transport = stdio(command);
const launch = { includePartialMessages: true, sessionPersistence: false };

const { host, texts } = await withHost({ transport, launch }, async (host) => {
  const texts = [];

  /** Sends a prompt, and returns the result. Calls `onPiece` with each piece of the text. */
  async function turn(prompt, onPiece = () => {}) {
    const assembler = createTextAssembler();
    await host.prompt(prompt).accepted;
    for await (const message of host.untilResult()) {
      const piece = assembler.add(message);
      if (piece !== '') onPiece(piece);
      if (message.type === 'result') texts.push(message.result);
    }
    return host.state.last;
  }

  const first = await turn('/echo one');
  assert.equal(first.outcome, 'success');

  // Interrupt after the third piece. The receipt of the interrupt arrives first, then the rest of the turn and its result.
  let pieces = 0;
  const receipts = [];
  const second = await turn('/slow 600', () => {
    if (++pieces === 3) receipts.push(host.interrupt());
  });
  const [receipt] = await Promise.all(receipts);
  assert.equal(receipt.outcome, 'accepted');
  assert.equal(second.outcome, 'interrupted');

  const { model } = await host.request('set_model', { model: 'another' });
  assert.equal(model, 'another');
  const third = await turn('/echo three');
  assert.deepEqual([third.outcome, host.state.results], ['success', 3]);

  // No turn is running, so there is nothing to interrupt: the receipt reports this, and the request succeeds.
  assert.equal((await host.interrupt()).outcome, 'nothing_running');

  // After the last prompt the agent exits by itself, and the session ends.
  await host.endInput();
  return { host, texts };
});

assert.deepEqual([texts[0], texts[2]], ['one', 'three']);
const close = await host.closed;
const end = processEndOf(close);
assert.deepEqual([close.by, close.error, end?.exitCode, end?.killed], ['local', undefined, 0, false]);
assert.deepEqual(host.report.issues, []);
console.log('prompts-and-interrupt: three turns, one of them interrupted, and the agent left by itself');
