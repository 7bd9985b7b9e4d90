// The agent asks a question, and another program answers it later, over HTTP, by the id of the question. Until then the turn waits, and the agent's
// input stays open, although the only prompt has already been sent.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { query } from '@proto/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { serveApprovals } from './approvals.mjs';

const command = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const cwd = mkdtempSync(join(tmpdir(), 'approve-'));
const approvals = await serveApprovals();

/** Sends one prompt to an agent whose questions are listed for a person who approves them. */
function ask(prompt) {
  const session = query({
    prompt,
    transport: ({ args, env }) =>
      spawnAgent({ command, args, cwd, env: inheritEnvironment({ SJP_HOME: join(cwd, 'home'), ...env }) }),
    canUseTool: ({ tool_name, input }, { requestId, signal }) => {
      approvals.show({ id: requestId, tool_name, input }, (answer) => session.respond(requestId, answer));
      signal.addEventListener('abort', () => approvals.hide(requestId));
      return null; // the answer is sent with `respond`
    },
  });
  return session;
}

/** The other program, with which a person answers. */
async function approver(answer) {
  const [question] = await approvals.shown();
  const url = `${approvals.url}/${encodeURIComponent(question.id)}`;
  const post = () => fetch(url, { method: 'POST', body: JSON.stringify(answer) });
  const first = await post();
  // A second answer is refused.
  const second = await post();
  return { question, statuses: [first.status, second.status] };
}

async function resultOf(session) {
  for await (const message of session) if (message.type === 'result') return message;
}

try {
  const [given, result] = await Promise.all([
    approver({ behavior: 'allow' }),
    resultOf(ask('/bash echo yes > yes.txt')),
  ]);
  assert.equal(given.question.input.command, 'echo yes > yes.txt');
  assert.deepEqual(given.statuses, [204, 404]);
  assert.equal(result.subtype, 'success');
  assert.ok(existsSync(join(cwd, 'yes.txt')));

  const answer = { behavior: 'deny', message: 'not on a Friday' };
  const [, refused] = await Promise.all([approver(answer), resultOf(ask('/bash echo no > no.txt'))]);
  assert.equal(refused.permission_denials.length, 1);
  assert.equal(existsSync(join(cwd, 'no.txt')), false);

  // Stopping the agent withdraws the question, so no answer is needed.
  const session = ask('/bash echo no > no.txt');
  const ended = resultOf(session);
  const [{ id }] = await approvals.shown();
  await session.interrupt();
  assert.equal((await ended).subtype, 'error_during_execution');
  assert.equal((await fetch(`${approvals.url}/${id}`, { method: 'POST', body: '{"behavior":"allow"}' })).status, 404);
  assert.equal(existsSync(join(cwd, 'no.txt')), false);
} finally {
  await approvals.close();
  rmSync(cwd, { recursive: true, force: true });
}
console.log('approve-later: one call approved and one refused over HTTP, one question withdrawn');
