import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Opens a session in which the agent asks. The adapter starts the agent in a mode in which a model decides about calls. */
async function openAsking({ open }) {
  const session = await open();
  await session.client.request('session/set_mode', { sessionId: session.sessionId, modeId: 'default' });
  return session;
}

/** Scenarios of an editor with the native agent, whose model does what each prompt says. Each scenario gets its lab. */
export const NATIVE_SCENARIOS = {
  async 'native: a prompt'({ open }) {
    const { prompt, text } = await open();
    assert.equal((await prompt('say hello to the editor')).stopReason, 'end_turn');
    assert.match(text(), /^hello to the editor/);
  },

  async 'native: a tool call that reads'({ open, cwd }) {
    const { client, prompt, toolCalls } = await open();
    await prompt(`read ${join(cwd, 'note.txt')}`);
    assert.equal(client.permissions.length, 0);
    const [call] = toolCalls();
    assert.deepEqual([call.kind, call.status], ['read', 'completed']);
  },

  async 'native: an allowed call'(lab) {
    const { cwd } = lab;
    const { client, prompt, toolCalls, answer } = await openAsking(lab);
    answer('allow_once');
    await prompt('run echo made > made.txt');
    assert.equal(client.permissions.length, 1);
    assert.deepEqual(
      toolCalls().map(({ kind, status }) => [kind, status]),
      [['execute', 'completed']],
    );
    assert.ok(existsSync(join(cwd, 'made.txt')));
  },

  async 'native: a denied call'(lab) {
    const { cwd } = lab;
    const { prompt, toolCalls, answer } = await openAsking(lab);
    answer('reject_once');
    assert.equal((await prompt('run echo made > made.txt')).stopReason, 'end_turn');
    assert.deepEqual(
      toolCalls().map(({ status }) => status),
      ['failed'],
    );
    assert.equal(existsSync(join(cwd, 'made.txt')), false);
  },

  async 'native: a change of a file'(lab) {
    const { cwd } = lab;
    const { client, prompt, answer } = await openAsking(lab);
    answer('allow_once');
    await prompt(`write ${join(cwd, 'new.txt')} some words`);
    const [{ toolCall }] = client.permissions;
    assert.deepEqual([toolCall.kind, toolCall.content[0].type], ['edit', 'diff']);
    assert.equal(readFileSync(join(cwd, 'new.txt'), 'utf8'), 'some words');
  },

  async 'native: the mode accept edits'({ open, cwd }) {
    const { client, prompt, sessionId } = await open();
    await client.request('session/set_mode', { sessionId, modeId: 'acceptEdits' });
    await prompt(`write ${join(cwd, 'new.txt')} some words`);
    assert.equal(client.permissions.length, 0);
    assert.ok(existsSync(join(cwd, 'new.txt')));
  },

  async 'native: cancel in mid-turn'({ open }) {
    const { client, prompt, cancel, text } = await open();
    const turn = prompt('begin');
    await client.until(() => text() || undefined);
    cancel();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.equal((await prompt('say still here')).stopReason, 'end_turn');
    assert.match(text(), /still here/);
  },

  async 'native: cancel while a permission is open'(lab) {
    const { cwd } = lab;
    const { client, prompt, cancel, toolCalls } = await openAsking(lab);
    client.onPermission = () => new Promise((resolve) => (client.withdraw = () => resolve({ outcome: 'cancelled' })));
    const turn = prompt('run echo made > made.txt');
    await client.until(() => client.permissions[0]);
    cancel();
    client.withdraw();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.notEqual(toolCalls()[0].status, 'completed');
    assert.equal(existsSync(join(cwd, 'made.txt')), false);
  },

  async 'native: list and load'(lab) {
    const { connect, cwd, sessionOf } = lab;
    const first = await openAsking(lab);
    first.answer('allow_once');
    await first.prompt('say the number is seven');
    await first.prompt('run echo hi');
    await first.client.close();
    const { client } = await connect();
    const { sessions } = await client.request('session/list', { cwd });
    assert.deepEqual(
      sessions.map(({ sessionId }) => sessionId),
      [first.sessionId],
    );
    await client.request('session/load', { sessionId: first.sessionId, cwd, mcpServers: [] });
    const loaded = sessionOf(client, first.sessionId);
    assert.match(loaded.text('user_message_chunk'), /the number is seven/);
    assert.match(loaded.text(), /the number is seven/);
    assert.deepEqual(
      loaded.toolCalls().map(({ status, title }) => [status, title]),
      [['completed', 'echo hi']],
    );
    const replayed = loaded.text().length;
    assert.equal((await loaded.prompt('say again')).stopReason, 'end_turn');
    assert.match(loaded.text().slice(replayed), /^again/);
  },
};
