// A policy decides whether each tool call is allowed, and records each decision.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withHost } from '@proto/host';
import { inheritEnvironment, spawnAgent } from '@proto/transport-stdio';
import { commands, createPolicy, writeBelow } from './policy.mjs';

const command = fileURLToPath(new URL('dist/agent.js', import.meta.resolve('@proto/cli/package.json')));
const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'policy-')));
const audit = [];
const canUseTool = createPolicy({
  rules: [writeBelow(cwd), commands({ 'run tests': 'echo tests pass' })],
  record: (entry) => audit.push(entry),
});

/** Returns the result of one prompt, and the results of its tool calls. */
async function ask(host, prompt) {
  await host.prompt(prompt).accepted;
  const toolResults = [];
  for await (const message of host.untilResult()) {
    if (message.type === 'result') return { result: message, toolResults: toolResults.join() };
    if (message.type === 'user') toolResults.push(JSON.stringify(message.message.content));
  }
}

try {
  const transport = ({ args, env }) =>
    spawnAgent({ command, args, cwd, env: inheritEnvironment({ SJP_HOME: join(cwd, 'home'), ...env }) });
  await withHost({ transport, canUseTool }, async (host) => {
    const inside = await ask(host, '/write notes.txt hello');
    assert.deepEqual(inside.result.permission_denials, []);
    assert.ok(existsSync(join(cwd, 'notes.txt')));

    const outside = await ask(host, `/write ${join(tmpdir(), 'never.txt')} hello`);
    assert.equal(outside.result.permission_denials.length, 1);
    assert.match(outside.toolResults, /never\.txt is outside/);

    const tests = await ask(host, '/bash run tests');
    assert.match(tests.toolResults, /tests pass/);

    const removal = await ask(host, '/bash rm -rf .');
    assert.match(removal.toolResults, /Not a command for you/);
    assert.ok(existsSync(join(cwd, 'notes.txt')));

    // The policy also records calls that no rule covers.
    const question = await ask(host, '/ask Which?|A|B');
    assert.match(question.toolResults, /No rule allows AskUserQuestion/);
  });
  const decisions = audit.map(({ tool, behavior }) => `${behavior} ${tool}`);
  assert.deepEqual(decisions, ['allow Write', 'deny Write', 'allow Bash', 'deny Bash', 'deny AskUserQuestion']);
} finally {
  rmSync(cwd, { recursive: true, force: true });
}
console.log('permission-policy: five calls, two allowed, one of them rewritten, every decision on record');
