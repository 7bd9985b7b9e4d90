import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chosen } from '../acp-client.mjs';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

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

  async 'native: initialize and new'({ open, connect, commandLines }) {
    const { about } = await connect();
    assert.equal(about.protocolVersion, 1);
    assert.equal(about.agentCapabilities.loadSession, true);
    const { client, opened, sessionId, updates } = await open();
    const [{ availableCommands }] = await client.until(() => found(updates('available_commands_update')));
    assert.ok(availableCommands.some(({ name }) => name === 'init'));
    const modes = opened.modes.availableModes.map(({ id }) => id);
    for (const mode of ['default', 'acceptEdits', 'plan']) assert.ok(modes.includes(mode), mode);
    assert.ok(commandLines().some((line) => line.includes(`--session-id=${sessionId}`)));
  },

  async 'native: thoughts'({ open }) {
    const { prompt, text } = await open();
    assert.equal((await prompt('think deeply\nsay done')).stopReason, 'end_turn');
    assert.match(text(), /done/);
    // The agent decides whether it shows the thoughts of its model.
    assert.match(text('agent_thought_chunk'), /^(deeply)?$/);
  },

  async 'native: a permission for all such calls'(lab) {
    const { cwd } = lab;
    const { client, prompt, toolCalls, answer } = await openAsking(lab);
    answer('allow_always');
    await prompt(`write ${join(cwd, 'one.txt')} some words`);
    await prompt(`write ${join(cwd, 'two.txt')} some words`);
    assert.equal(client.permissions.length, 1);
    assert.deepEqual(
      toolCalls().map(({ status }) => status),
      ['completed', 'completed'],
    );
    assert.ok(existsSync(join(cwd, 'two.txt')));
  },

  async 'native: a permission for all such commands'(lab) {
    const { client, prompt, toolCalls, answer } = await openAsking(lab);
    answer('allow_always');
    await prompt('run chmod 600 note.txt');
    await prompt('run chmod 600 note.txt');
    assert.equal(client.permissions.length, 1);
    assert.deepEqual(
      toolCalls().map(({ status }) => status),
      ['completed', 'completed'],
    );
  },

  async 'native: the plan mode'({ open, cwd }) {
    const { client, prompt, sessionId, answer, toolCalls } = await open();
    await client.request('session/set_mode', { sessionId, modeId: 'plan' });
    answer('reject_once');
    assert.equal((await prompt(`write ${join(cwd, 'planned.txt')} some words`)).stopReason, 'end_turn');
    assert.deepEqual(
      toolCalls().map(({ status }) => status),
      ['failed'],
    );
    assert.equal(existsSync(join(cwd, 'planned.txt')), false);
  },

  async 'native: an unknown mode'({ open }) {
    const { client, prompt, sessionId, text } = await open();
    await assert.rejects(client.request('session/set_mode', { sessionId, modeId: 'no-such-mode' }), { code: -32_602 });
    await prompt('say still here');
    assert.match(text(), /still here/);
  },

  async 'native: the mode as an option'({ open, cwd }) {
    const { client, prompt, setOption } = await open();
    const { configOptions } = await setOption('mode', 'acceptEdits');
    assert.equal(configOptions.find(({ id }) => id === 'mode').currentValue, 'acceptEdits');
    await prompt(`write ${join(cwd, 'new.txt')} some words`);
    assert.equal(client.permissions.length, 0);
    assert.ok(existsSync(join(cwd, 'new.txt')));
    await assert.rejects(setOption('no-such-option', 'x'), { code: -32_602 });
  },

  async 'native: several sessions at the same time'({ connect, cwd, sessionOf }) {
    const { client } = await connect();
    const opened = await Promise.all(
      Array.from({ length: 3 }, () => client.request('session/new', { cwd, mcpServers: [] })),
    );
    const sessions = opened.map(({ sessionId }) => sessionOf(client, sessionId));
    assert.equal(new Set(sessions.map(({ sessionId }) => sessionId)).size, 3);
    for (const { sessionId } of sessions) await client.request('session/set_mode', { sessionId, modeId: 'default' });
    client.onPermission = (request) =>
      chosen(request, request.sessionId === sessions[0].sessionId ? 'allow_once' : 'reject_once');
    const turns = await Promise.all(
      sessions.map(({ prompt }, index) => prompt(`say this is ${index}\npause\nrun touch made-${index}.txt`)),
    );
    assert.deepEqual(
      turns.map(({ stopReason }) => stopReason),
      Array(3).fill('end_turn'),
    );
    for (const [index, { text, toolCalls }] of sessions.entries()) {
      assert.match(text(), new RegExp(`this is ${index}`));
      assert.deepEqual(
        toolCalls().map(({ status }) => status),
        [index === 0 ? 'completed' : 'failed'],
      );
      assert.equal(existsSync(join(cwd, `made-${index}.txt`)), index === 0);
    }
  },

  async 'native: close'({ open }) {
    const { client, prompt, sessionId } = await open();
    await prompt('say before');
    await client.request('session/close', { sessionId });
    await assert.rejects(prompt('say after'), { code: -32_002 });
  },

  async 'native: resume without a replay'({ open, connect, cwd, sessionOf }) {
    const first = await open();
    await first.prompt('say one');
    await first.client.close();
    const { client } = await connect();
    await client.request('session/resume', { sessionId: first.sessionId, cwd, mcpServers: [] });
    const { prompt, text, updates } = sessionOf(client, first.sessionId);
    assert.deepEqual(updates('user_message_chunk'), []);
    await prompt('say two');
    assert.match(text(), /two/);
    assert.doesNotMatch(text(), /one/);
  },

  async 'native: a session that does not exist'({ connect, cwd }) {
    const { client } = await connect();
    const sessionId = '00000000-0000-4000-8000-000000000000';
    await assert.rejects(client.request('session/load', { sessionId, cwd, mcpServers: [] }), { code: -32_002 });
    await assert.rejects(client.request('session/resume', { sessionId, cwd, mcpServers: [] }), { code: -32_002 });
  },

  async 'native: delete'({ open, connect, cwd }) {
    const { client, prompt, sessionId } = await open();
    await prompt('say once');
    await client.close();
    const { client: later } = await connect();
    assert.equal((await later.request('session/list', { cwd })).sessions.length, 1);
    await later.request('session/delete', { sessionId });
    assert.deepEqual((await later.request('session/list', { cwd })).sessions, []);
    await assert.rejects(later.request('session/load', { sessionId, cwd, mcpServers: [] }), { code: -32_002 });
  },

  async 'native: two prompts at the same time'({ open }) {
    const { prompt, text } = await open();
    const turns = await Promise.all([prompt('pause\nsay one'), prompt('say two')]);
    assert.deepEqual(
      turns.map(({ stopReason }) => stopReason),
      ['end_turn', 'end_turn'],
    );
    assert.match(text(), /one.*two/s);
  },

  async 'native: several calls in one reply'(lab) {
    const { cwd } = lab;
    const { client, prompt, toolCalls, answer } = await openAsking(lab);
    answer('allow_once');
    await prompt(`read ${join(cwd, 'note.txt')}\nrun touch one.txt\nrun touch two.txt`);
    assert.equal(client.permissions.length, 2);
    assert.deepEqual(
      toolCalls()
        .map(({ kind, status }) => `${kind} ${status}`)
        .toSorted(),
      ['execute completed', 'execute completed', 'read completed'],
    );
    assert.ok(existsSync(join(cwd, 'one.txt')) && existsSync(join(cwd, 'two.txt')));
  },

  async 'native: a call that fails'(lab) {
    const { prompt, toolCalls, answer } = await openAsking(lab);
    answer('allow_once');
    assert.equal((await prompt('run touch made.txt; exit 3')).stopReason, 'end_turn');
    assert.deepEqual(
      toolCalls().map(({ status }) => status),
      ['failed'],
    );
  },

  async 'native: a prompt with an image, a link and a file'({ open }) {
    const { prompt, text } = await open();
    const uri = 'file:///work/note.txt';
    const { stopReason } = await prompt(
      'describe',
      { type: 'image', mimeType: 'image/png', data: PIXEL },
      { type: 'resource_link', name: 'note.txt', uri },
      { type: 'resource', resource: { uri, text: 'the embedded text' } },
    );
    assert.equal(stopReason, 'end_turn');
    for (const part of ['"type":"image"', PIXEL, uri, 'the embedded text']) assert.ok(text().includes(part), part);
  },

  async 'native: a question with a form'({ open }) {
    const { client, prompt, toolCalls } = await open({}, { elicitation: { form: {} } });
    client.onForm = ({ requestedSchema: { properties } }) => ({
      action: 'accept',
      content: { [Object.keys(properties)[0]]: 'red' },
    });
    assert.equal((await prompt('ask Which colour?|red|blue')).stopReason, 'end_turn');
    assert.equal(client.forms.length, 1);
    assert.match(JSON.stringify(client.forms[0]), /Which colour\?/);
    const [{ status, content, rawOutput }] = toolCalls();
    assert.equal(status, 'completed');
    assert.match(JSON.stringify([content, rawOutput]), /red/);
  },

  async 'native: a question that is declined'({ open }) {
    const { client, prompt, toolCalls } = await open({}, { elicitation: { form: {} } });
    assert.equal((await prompt('ask Which colour?|red|blue')).stopReason, 'end_turn');
    assert.equal(client.forms.length, 1);
    assert.equal(toolCalls().length, 1);
  },

  async 'native: a plan that is approved'({ open, cwd }) {
    const { client, prompt, sessionId, toolCalls, answer } = await open();
    await client.request('session/set_mode', { sessionId, modeId: 'plan' });
    answer('allow_once');
    await prompt('propose one step');
    assert.deepEqual(
      toolCalls().map(({ kind, status }) => [kind, status]),
      [['switch_mode', 'completed']],
    );
    // The approval changes the mode to the one that asks before each edit.
    await prompt(`write ${join(cwd, 'new.txt')} some words`);
    assert.equal(client.permissions.length, 2);
    assert.ok(existsSync(join(cwd, 'new.txt')));
  },

  async 'native: a subagent'(lab) {
    const { client, prompt, toolCalls, text } = await openAsking(lab);
    assert.equal((await prompt('delegate say from below')).stopReason, 'end_turn');
    assert.equal(client.permissions.length, 0);
    const [call] = toolCalls();
    assert.deepEqual([call.kind, call.status], ['think', 'completed']);
    assert.match(JSON.stringify(call.content), /from below/);
    assert.match(text(), /that is done/);
  },

  async 'native: unusual and long texts'({ open }) {
    const { prompt, text } = await open();
    await prompt('say one\u2028two, \u{1F600} and \u0000, the end');
    assert.match(text(), /one\u2028two, \u{1F600} and \0?, the end/u);
    const before = text().length;
    await prompt('repeat 300000');
    assert.match(text().slice(before), /a{300000}/);
  },

  async 'native: a turn that fails'({ open }) {
    const { client, prompt, text, updates } = await open();
    await assert.rejects(prompt('fail 400'), { code: -32_603 });
    assert.equal((await prompt('say still here')).stopReason, 'end_turn');
    assert.match(text(), /still here/);
    // A title that was given up with the failed turn is asked for again.
    await client.until(() => found(updates('session_info_update')));
  },

  async 'native: a further folder'({ open, cwd }) {
    const further = `${cwd}-further`;
    mkdirSync(further);
    writeFileSync(join(further, 'far.txt'), 'a far note\n');
    const { client, prompt, toolCalls } = await open({ additionalDirectories: [further] });
    await prompt(`read ${join(further, 'far.txt')}`);
    assert.equal(client.permissions.length, 0);
    assert.match(JSON.stringify(toolCalls()[0].content), /a far note/);
  },
};

const found = (list) => (list.length > 0 ? list : undefined);
