import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chosen } from './acp-client.mjs';
import { OURS } from './lab.mjs';

const TITLE = 'hello world';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Scenarios of an editor that uses the Agent Client Protocol. Each scenario gets its lab. */
export const SCENARIOS = {
  async initialize({ program, connect, commandLines }) {
    const { client, about } = await connect();
    assert.equal(about.protocolVersion, 1);
    assert.equal(about.agentCapabilities.loadSession, true);
    if (program === OURS) return;
    // The adapter asks the agent who is signed in, and then notifies the client.
    const status = await client.until(() =>
      client.notifications.find(({ method }) => method === '_auth/status_update'),
    );
    assert.deepEqual(status.params.authStatus, { kind: 'external', label: 'sjp-agent' });
    assert.deepEqual(commandLines(), ['auth status --json']);
    assert.deepEqual(await client.close(), { code: 0, signal: null });
  },

  async new({ open, commandLines }) {
    const { client, opened, sessionId, updates } = await open();
    const [commands] = await client.until(() => found(updates('available_commands_update')));
    assert.ok(commands.availableCommands.some(({ name }) => name === 'echo'));
    const modes = opened.modes.availableModes.map(({ id }) => id);
    for (const mode of ['default', 'acceptEdits', 'plan']) assert.ok(modes.includes(mode), mode);
    assert.ok(commandLines().some((line) => line.includes(`--session-id=${sessionId}`)));
  },

  async 'a prompt that streams, with a title and the usage'({ program, open }) {
    const { client, prompt, text, updates } = await open();
    const { stopReason, usage } = await prompt(TITLE);
    assert.equal(stopReason, 'end_turn');
    // The usage of a turn is not a member of version 1 of the protocol.
    if (program !== OURS) assert.ok(usage.outputTokens > 0);
    assert.equal(text(), `You said: ${TITLE}`);
    assert.ok(updates('agent_message_chunk').length > 1, 'the text comes in one piece');
    // The adapter asks for the title during the turn, so the title may arrive after the end of the turn.
    const titles = await client.until(() => found(updates('session_info_update')));
    assert.deepEqual(
      titles.map(({ title }) => title),
      [TITLE],
    );
    assert.ok(updates('usage_update').some(({ cost }) => cost?.amount > 0));
  },

  async thoughts({ open }) {
    const { prompt, text } = await open();
    await prompt('/think deeply\n/echo done');
    assert.equal(text('agent_thought_chunk'), 'deeply');
    assert.match(text(), /done$/);
  },

  async 'a tool call that reads'({ open, cwd }) {
    const { client, prompt, toolCalls } = await open();
    await prompt(`/read ${join(cwd, 'note.txt')}`);
    assert.equal(client.permissions.length, 0);
    const [call] = toolCalls();
    assert.deepEqual([call.kind, call.status], ['read', 'completed']);
    assert.match(JSON.stringify(call.content), /the note/);
  },

  async 'a permission for one call'({ open }) {
    const { client, prompt, toolCalls, answer } = await open();
    answer('allow_once');
    await prompt('/bash echo hi');
    await prompt('/bash echo hi');
    assert.equal(client.permissions.length, 2);
    const [{ toolCall, options }] = client.permissions;
    assert.deepEqual([toolCall.title, toolCall.kind], ['echo hi', 'execute']);
    assert.deepEqual(options.map(({ kind }) => kind).toSorted(), ['allow_always', 'allow_once', 'reject_once']);
    assert.deepEqual(
      toolCalls().map(({ status, rawOutput }) => [status, rawOutput]),
      Array(2).fill(['completed', 'hi']),
    );
  },

  async 'a permission for all such calls'({ open }) {
    const { client, prompt, toolCalls, answer } = await open();
    answer('allow_always');
    await prompt('/bash echo one');
    await prompt('/bash echo one more');
    assert.equal(client.permissions.length, 1);
    assert.deepEqual(
      toolCalls().map(({ status }) => status),
      ['completed', 'completed'],
    );
  },

  async 'a permission that is refused'({ open, cwd }) {
    const { prompt, toolCalls, answer } = await open();
    answer('reject_once');
    const { stopReason } = await prompt('/write new.txt hello');
    assert.equal(stopReason, 'end_turn');
    const [{ status, content }] = toolCalls();
    assert.equal(status, 'failed');
    assert.match(JSON.stringify(content), /refused permission/);
    assert.equal(existsSync(join(cwd, 'new.txt')), false);
  },

  async 'a change of a file'({ open, cwd }) {
    const { client, prompt, answer } = await open();
    answer('allow_once');
    await prompt('/write note.txt changed');
    const [{ toolCall }] = client.permissions;
    assert.deepEqual([toolCall.kind, toolCall.content[0].type], ['edit', 'diff']);
    assert.equal(toolCall.content[0].newText, 'changed');
    assert.equal(readFileSync(join(cwd, 'note.txt'), 'utf8').trim(), 'changed');
  },

  async 'a subagent and a task in the background'({ open }) {
    const { client, prompt, toolCalls, text } = await open();
    const { stopReason } = await prompt('/subagent /echo from below\n/background 0.1');
    assert.equal(stopReason, 'end_turn');
    assert.ok(
      toolCalls().some(({ status, rawInput }) => status === 'completed' && /from below/.test(JSON.stringify(rawInput))),
    );
    // The end of the task causes a separate turn.
    await client.until(() => (text().includes('slept') || /Background|sleep/.test(text()) ? true : undefined));
  },

  async 'cancel in mid-turn'({ open }) {
    const { client, prompt, cancel, text, updates } = await open();
    const turn = prompt('/slow 600');
    await client.until(() => text() || undefined);
    cancel();
    assert.equal((await turn).stopReason, 'cancelled');
    const cut = text();
    assert.equal((await prompt('/echo still here')).stopReason, 'end_turn');
    assert.equal(text().slice(cut.length), 'still here');
    // The adapter asks for a title again, because it gave up the first request with the turn.
    await client.until(() => found(updates('session_info_update')));
  },

  async 'cancel while a permission is open'({ open, cwd }) {
    const { client, prompt, cancel, toolCalls } = await open();
    client.onPermission = () => new Promise((resolve) => (client.withdraw = () => resolve({ outcome: 'cancelled' })));
    const turn = prompt('/write new.txt hello');
    await client.until(() => client.permissions[0]);
    cancel();
    // A client has to answer an open permission request with `cancelled` after a cancel.
    client.withdraw();
    assert.equal((await turn).stopReason, 'cancelled');
    assert.notEqual(toolCalls()[0].status, 'completed');
    assert.equal(existsSync(join(cwd, 'new.txt')), false);
    assert.equal((await prompt('/echo still here')).stopReason, 'end_turn');
  },

  async modes({ open, cwd }) {
    const { client, prompt, toolCalls, sessionId } = await open();
    const setMode = (modeId) => client.request('session/set_mode', { sessionId, modeId });
    await setMode('plan');
    await prompt('/write planned.txt x');
    await setMode('acceptEdits');
    await prompt('/write edited.txt x');
    assert.deepEqual(
      toolCalls().map(({ status }) => status),
      ['failed', 'completed'],
    );
    assert.equal(client.permissions.length, 0);
    assert.deepEqual(
      ['planned.txt', 'edited.txt'].map((name) => existsSync(join(cwd, name))),
      [false, true],
    );
    await assert.rejects(setMode('no-such-mode'), { code: -32_602 });
  },

  async 'several sessions at the same time'({ connect, cwd, sessionOf }) {
    const { client } = await connect();
    const opened = await Promise.all(
      Array.from({ length: 3 }, () => client.request('session/new', { cwd, mcpServers: [] })),
    );
    const sessions = opened.map(({ sessionId }) => sessionOf(client, sessionId));
    assert.equal(new Set(sessions.map(({ sessionId }) => sessionId)).size, 3);
    client.onPermission = (request) =>
      chosen(request, request.sessionId === sessions[0].sessionId ? 'allow_once' : 'reject_once');
    const turns = sessions.map(({ prompt }, index) =>
      prompt(`/bash echo from ${index}\n/slow 0.2\n/echo last of ${index}`),
    );
    assert.deepEqual(
      (await Promise.all(turns)).map(({ stopReason }) => stopReason),
      Array(3).fill('end_turn'),
    );
    for (const [index, { text, toolCalls }] of sessions.entries()) {
      assert.match(text(), new RegExp(`last of ${index}$`));
      assert.deepEqual(
        toolCalls().map(({ status }) => status),
        [index === 0 ? 'completed' : 'failed'],
      );
    }
  },

  async close({ open }) {
    const { client, prompt, sessionId } = await open();
    await prompt('/echo before');
    await client.request('session/close', { sessionId });
    await assert.rejects(prompt('/echo after'), { code: -32_002 });
  },

  async list({ open, connect, cwd }) {
    const { client, prompt, sessionId, updates } = await open();
    // The title is made from the first line. Without a stored title, the list would show the whole prompt.
    await prompt(`${TITLE}\nand a second line`);
    await client.until(() => found(updates('session_info_update')));
    await client.close();
    // An adapter that knows nothing of the session finds its file.
    const { client: later } = await connect();
    const { sessions } = await later.request('session/list', { cwd });
    assert.deepEqual(
      sessions.map((session) => [session.sessionId, session.title]),
      [[sessionId, TITLE]],
    );
    assert.deepEqual((await later.request('session/list', { cwd: '/' })).sessions, []);
  },

  async load({ open, connect, cwd, sessionOf }) {
    const first = await open();
    first.answer('allow_once');
    await first.prompt('/echo the number is seven');
    await first.prompt('/bash echo hi');
    await first.client.close();
    const { client } = await connect();
    const { sessionId } = first;
    await client.request('session/load', { sessionId, cwd, mcpServers: [] });
    const loaded = sessionOf(client, sessionId);
    // The conversation is replayed before the answer.
    assert.match(loaded.text('user_message_chunk'), /the number is seven/);
    assert.match(loaded.text(), /the number is seven/);
    assert.deepEqual(
      loaded.toolCalls().map(({ status, title }) => [status, title]),
      [['completed', 'echo hi']],
    );
    const replayed = loaded.text().length;
    assert.equal((await loaded.prompt('/echo again')).stopReason, 'end_turn');
    assert.equal(loaded.text().slice(replayed), 'again');
    const missing = '00000000-0000-4000-8000-000000000000';
    await assert.rejects(client.request('session/load', { sessionId: missing, cwd, mcpServers: [] }), {
      code: -32_002,
    });
  },

  async 'resume without a replay'({ open, connect, cwd, sessionOf }) {
    const first = await open();
    await first.prompt('/echo one');
    await first.client.close();
    const { client } = await connect();
    await client.request('session/resume', { sessionId: first.sessionId, cwd, mcpServers: [] });
    const { prompt, text, updates } = sessionOf(client, first.sessionId);
    assert.deepEqual(updates('user_message_chunk'), []);
    await prompt('/echo two');
    assert.equal(text(), 'two');
  },

  // The adapter reports every result with `is_error` as an error, including the result of the native agent when it reaches its limit of turns.
  async 'a turn that fails'({ program, open }) {
    const { prompt, text } = await open();
    if (program === OURS) assert.equal((await prompt('/fail max_turns')).stopReason, 'max_turn_requests');
    else await assert.rejects(prompt('/fail max_turns'), { code: -32_603, message: /Reached maximum number of turns/ });
    await assert.rejects(prompt('/fail api'), { code: -32_603 });
    assert.equal((await prompt('/echo still here')).stopReason, 'end_turn');
    assert.match(text(), /still here$/);
  },

  async 'a prompt with an image, a link and a file'({ open }) {
    const { prompt, text } = await open();
    const uri = 'file:///work/note.txt';
    const { stopReason } = await prompt(
      'look at this',
      { type: 'image', mimeType: 'image/png', data: PIXEL },
      { type: 'resource_link', name: 'note.txt', uri },
      { type: 'resource', resource: { uri, text: 'the embedded text' } },
    );
    assert.equal(stopReason, 'end_turn');
    assert.match(text(), /look at this/);
    assert.match(text(), /the embedded text/);
  },

  async 'a question with a form'({ open }) {
    const { client, prompt, text } = await open({}, { elicitation: { form: {} } });
    client.onForm = ({ requestedSchema: { properties } }) => ({
      action: 'accept',
      content: Object.fromEntries(Object.keys(properties).map((name) => [name, 'red'])),
    });
    await prompt('/ask Which colour?|red|blue');
    assert.equal(client.forms.length, 1);
    assert.match(JSON.stringify(client.forms[0]), /Which colour\?/);
    assert.match(text(), /red/);
  },

  async 'a question that is declined'({ open }) {
    const { client, prompt, toolCalls } = await open({}, { elicitation: { form: {} } });
    assert.equal((await prompt('/ask Which colour?|red|blue')).stopReason, 'end_turn');
    assert.equal(client.forms.length, 1);
    assert.deepEqual(
      toolCalls().map(({ status }) => status),
      ['failed'],
    );
  },

  async 'the model and the mode as options'({ open, cwd }) {
    const { opened, prompt, setOption, client } = await open();
    const options = Object.fromEntries(opened.configOptions.map((option) => [option.id, option]));
    const [{ value: model }] = options.model.options;
    const changed = await setOption('model', model);
    assert.equal(changed.configOptions.find(({ id }) => id === 'model').currentValue, model);
    await setOption('mode', 'acceptEdits');
    await prompt('/write edited.txt x');
    assert.equal(client.permissions.length, 0);
    assert.ok(existsSync(join(cwd, 'edited.txt')));
    await assert.rejects(setOption('no-such-option', 'x'), { code: -32_602 });
  },

  async 'a further folder'({ open, cwd }) {
    const further = `${cwd}-further`;
    mkdirSync(further);
    writeFileSync(join(further, 'far.txt'), 'a far note\n');
    const { client, prompt, text } = await open({ additionalDirectories: [further] });
    await prompt(`/read ${join(further, 'far.txt')}`);
    assert.equal(client.permissions.length, 0);
    assert.match(text(), /a far note/);
  },

  async delete({ open, connect, cwd }) {
    const { client, prompt, sessionId, updates } = await open();
    await prompt('/echo once');
    await client.until(() => found(updates('session_info_update')));
    await client.close();
    const { client: later } = await connect();
    assert.equal((await later.request('session/list', { cwd })).sessions.length, 1);
    await later.request('session/delete', { sessionId });
    assert.deepEqual((await later.request('session/list', { cwd })).sessions, []);
    await assert.rejects(later.request('session/load', { sessionId, cwd, mcpServers: [] }), { code: -32_002 });
  },

  async 'two prompts at the same time'({ open }) {
    const { prompt, text } = await open();
    const turns = await Promise.all([prompt('/slow 0.2\n/echo one'), prompt('/echo two')]);
    assert.deepEqual(
      turns.map(({ stopReason }) => stopReason),
      ['end_turn', 'end_turn'],
    );
    assert.match(text(), /one.*two$/s);
  },

  async 'several calls in one reply'({ open, cwd }) {
    const { client, prompt, toolCalls, answer } = await open();
    answer('allow_once');
    await prompt(`/parallel\n/read ${join(cwd, 'note.txt')}\n/bash echo two\n/bash echo three`);
    assert.equal(client.permissions.length, 2);
    assert.deepEqual(
      toolCalls()
        .map(({ kind, status }) => `${kind} ${status}`)
        .toSorted(),
      ['execute completed', 'execute completed', 'read completed'],
    );
  },

  async 'unusual and long texts'({ open }) {
    const { prompt, text } = await open();
    await prompt('/unicode');
    assert.match(text(), /\u2028/);
    const before = text().length;
    await prompt('/big 300000');
    assert.equal(Buffer.byteLength(text().slice(before)), 300_000);
  },

  async logout({ connect, commandLines }) {
    const { client } = await connect();
    await client.request('logout');
    assert.ok(commandLines().includes('auth logout'));
  },

  async 'an agent that crashes'({ open, cwd, expectLines }) {
    const { prompt, client } = await open();
    expectLines(/./);
    await assert.rejects(prompt('/fail crash'), { code: -32_603 });
    // The adapter and its other sessions continue.
    const { sessionId } = await client.request('session/new', { cwd, mcpServers: [] });
    const turn = await client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: '/echo hi' }] });
    assert.equal(turn.stopReason, 'end_turn');
  },
};

const found = (list) => (list.length > 0 ? list : undefined);
