/**
 * The requirements of the tiers MANDATORY and CAPABILITY in version 1 of the Test Compatibility Kit (github.com/agentclientprotocol/acp-tck) for agents
 * of the Agent Client Protocol, by their ids: `sjp acp` with the reference agent fulfils each of them.
 */
import { mkdtempSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { RawEditor, type RawMessage } from './raw-editor.ts';

const built = (name: string) => fileURLToPath(new URL(`../../packages/cli/dist/${name}`, import.meta.url));
const { $defs } = createRequire(import.meta.url)('@agentclientprotocol/sdk/schema/v1/schema.json') as {
  readonly $defs: Record<string, never>;
};
/** Checks a value against the published schema of the protocol. */
const expectShape = (name: string, value: unknown) => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const shape = z.fromJSONSchema({ $schema, $defs, $ref: `#/$defs/${name}` });
  expect(shape.safeParse(value).error?.issues ?? []).toEqual([]);
};
const SHAPES: Readonly<Record<string, string>> = {
  'session/update': 'SessionNotification',
  'session/request_permission': 'RequestPermissionRequest',
};

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'compatibility-')));
const env = { PATH: process.env['PATH'], HOME: cwd, SJP_HOME: join(cwd, 'home') };
const start = () => new RawEditor(process.execPath, [built('main.js'), 'acp', '--', built('agent.js')], env);
const introduce = (to: RawEditor, protocolVersion = 1) =>
  to.request('initialize', { protocolVersion, clientCapabilities: {}, clientInfo: { name: 'editor', version: '1' } });

let editor: RawEditor;
let about: RawMessage;
beforeAll(async () => {
  editor = start();
  about = await introduce(editor);
});
afterAll(async () => {
  await editor.close();
});

const newSession = async (members: object = {}) =>
  (await editor.request('session/new', { cwd, mcpServers: [], ...members })).result;
const text = (words: string) => ({ type: 'text', text: words });
const prompt = (sessionId: unknown, ...blocks: readonly object[]) =>
  editor.request('session/prompt', { sessionId, prompt: blocks });
const reasonOf = async (answer: Promise<RawMessage>) => {
  const { result } = await answer;
  expectShape('PromptResponse', result);
  return result.stopReason as string;
};
/** Starts a turn that lasts until it is ended. `turn` is its answer. Fulfils when the turn has begun. */
const longTurn = async (sessionId: string) => {
  const turn = prompt(sessionId, text('/slow 600'));
  await editor.until(({ params }) => params?.sessionId === sessionId && params.update?.content?.text !== undefined);
  return { turn };
};

const CASES: Readonly<Record<string, () => Promise<void> | void>> = {
  async 'ACP-JSONRPC-001'() {
    for (const id of [4711, 'a text']) expect(await editor.request('session/list', {}, id)).toMatchObject({ id });
  },
  async 'ACP-JSONRPC-002'() {
    const { error } = await prompt('no-such-session', text('hello'));
    expect(error).toEqual({ code: expect.any(Number), message: expect.any(String), data: expect.anything() });
    for (const { method, result, error: refusal } of editor.messages)
      if (method === undefined) expect([result, refusal].filter((each) => each !== undefined)).toHaveLength(1);
  },
  async 'ACP-JSONRPC-003'() {
    editor.notify('session/cancel', { sessionId: 'no-such-session' });
    editor.notify('_unknown', {});
    const before = editor.messages.filter(({ method }) => method === undefined).length;
    await editor.request('session/list', {});
    expect(editor.messages.filter(({ method }) => method === undefined)).toHaveLength(before + 1);
  },
  'ACP-INIT-001': () => expectShape('InitializeResponse', about.result),
  'ACP-INIT-002': () => expect(about.result.protocolVersion).toBe(1),
  async 'ACP-INIT-003'() {
    const other = start();
    expect((await introduce(other, 65_535)).result.protocolVersion).toBe(1);
    await other.close();
  },
  async 'ACP-SESSION-001'() {
    const result = await newSession();
    expectShape('NewSessionResponse', result);
    expect(result.sessionId).not.toBe('');
  },
  async 'ACP-SESSION-002'() {
    const [one, other] = await Promise.all([newSession(), newSession()]);
    expect(one.sessionId).not.toBe(other.sessionId);
  },
  async 'ACP-PROMPT-001'() {
    expect(await reasonOf(prompt((await newSession()).sessionId, text('hello')))).toBe('end_turn');
  },
  async 'ACP-PROMPT-002'() {
    const { sessionId } = await newSession();
    await prompt(sessionId, text('/think first\n/bash echo hi'));
    const updates = editor.updates(sessionId);
    expect(updates.length).toBeGreaterThan(2);
    for (const { params } of updates) expectShape('SessionNotification', params);
  },
  async 'ACP-CANCEL-001'() {
    const { sessionId } = await newSession();
    const { turn } = await longTurn(sessionId);
    editor.notify('session/cancel', { sessionId });
    expect(await reasonOf(turn)).toBe('cancelled');
  },
  async 'ACP-CANCEL-002'() {
    const { sessionId } = await newSession();
    const { turn } = await longTurn(sessionId);
    editor.notify('session/cancel', { sessionId });
    const answer = await turn;
    // Another session does something meanwhile, so that a late update would have had its time.
    await prompt((await newSession()).sessionId, text('/slow 0.2'));
    const late = editor.messages
      .slice(editor.messages.indexOf(answer))
      .filter(({ params }) => params?.sessionId === sessionId);
    expect(late).toEqual([]);
  },
  async 'ACP-LOAD-001'() {
    const { sessionId } = await newSession();
    await prompt(sessionId, text('/echo once'));
    const { result } = await editor.request('session/load', { sessionId, cwd, mcpServers: [] });
    expectShape('LoadSessionResponse', result);
  },
  async 'ACP-LOAD-002'() {
    const { sessionId } = await newSession();
    await prompt(sessionId, text('/echo once'));
    const before = editor.messages.length;
    const answer = await editor.request('session/load', { sessionId, cwd, mcpServers: [] });
    await prompt((await newSession()).sessionId, text('/slow 0.2'));
    const kinds = (messages: readonly RawMessage[]) =>
      messages
        .filter(({ params }) => params?.sessionId === sessionId)
        .map(({ params }) => params.update.sessionUpdate as string);
    const at = editor.messages.indexOf(answer);
    expect(kinds(editor.messages.slice(before, at))).toEqual(['user_message_chunk', 'agent_message_chunk']);
    // The commands are not a part of the conversation.
    expect(kinds(editor.messages.slice(at))).toEqual(['available_commands_update']);
  },
  async 'ACP-RESUME-001'() {
    const { sessionId } = await newSession();
    await prompt(sessionId, text('/echo once'));
    expectShape('ResumeSessionResponse', (await editor.request('session/resume', { sessionId, cwd })).result);
  },
  async 'ACP-RESUME-002'() {
    const { sessionId } = await newSession();
    await prompt(sessionId, text('/echo once'));
    const before = editor.updates(sessionId).length;
    await editor.request('session/resume', { sessionId, cwd });
    const chunks = editor
      .updates(sessionId)
      .slice(before)
      .filter(({ params }) => params.update.sessionUpdate.endsWith('chunk'));
    expect(chunks).toEqual([]);
  },
  async 'ACP-LIST-001'() {
    expectShape('ListSessionsResponse', (await editor.request('session/list', {})).result);
  },
  async 'ACP-LIST-002'() {
    expect((await editor.request('session/list', { cwd: '/no/such/folder' })).result).toEqual({ sessions: [] });
  },
  async 'ACP-DELETE-001'() {
    const { sessionId } = await newSession();
    expect((await editor.request('session/delete', { sessionId })).result).toEqual({});
  },
  async 'ACP-CLOSE-001'() {
    const { sessionId } = await newSession();
    expect((await editor.request('session/close', { sessionId })).result).toEqual({});
  },
  async 'ACP-CLOSE-002'() {
    const { sessionId } = await newSession();
    const { turn } = await longTurn(sessionId);
    await editor.request('session/close', { sessionId });
    expect(await reasonOf(turn)).toBe('cancelled');
  },
  async 'ACP-ADDDIRS-001'() {
    expectShape('NewSessionResponse', await newSession({ additionalDirectories: [tmpdir()] }));
  },
  async 'ACP-MODES-001'() {
    const { modes } = await newSession();
    expect(modes.availableModes.map(({ id }: { id: string }) => id)).toContain(modes.currentModeId);
  },
  async 'ACP-MODES-002'() {
    const { sessionId } = await newSession();
    expectShape(
      'SetSessionModeResponse',
      (await editor.request('session/set_mode', { sessionId, modeId: 'plan' })).result,
    );
    const { params } = await editor.until(
      (message) =>
        message.params?.sessionId === sessionId && message.params.update.sessionUpdate === 'current_mode_update',
    );
    expect(params.update.currentModeId).toBe('plan');
  },
  async 'ACP-CONFIG-001'() {
    const { configOptions } = await newSession();
    for (const { type, currentValue, options } of configOptions) {
      expect(type).toBe('select');
      expect(options.map(({ value }: { value: string }) => value)).toContain(currentValue);
    }
  },
  async 'ACP-CONFIG-002'() {
    const { sessionId, configOptions } = await newSession();
    const request = { sessionId, configId: 'mode', value: 'plan' };
    const { result } = await editor.request('session/set_config_option', request);
    const ids = (options: readonly { id: string }[]) => options.map(({ id }) => id);
    expect(ids(result.configOptions)).toEqual(ids(configOptions));
    expect(result.configOptions.find(({ id }: { id: string }) => id === 'mode').currentValue).toBe('plan');
  },
  async 'ACP-CONFIG-003'() {
    expect((await newSession()).configOptions.filter(({ type }: { type: string }) => type === 'boolean')).toEqual([]);
  },
  async 'ACP-PROMPTCAP-001'() {
    const image = { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' };
    expect(await reasonOf(prompt((await newSession()).sessionId, text('look'), image))).toBe('end_turn');
  },
  'ACP-PROMPTCAP-002': () => expect(about.result.agentCapabilities.promptCapabilities.audio).not.toBe(true),
  async 'ACP-PROMPTCAP-003'() {
    const resource = { type: 'resource', resource: { uri: 'file:///work/a.txt', text: 'words' } };
    expect(await reasonOf(prompt((await newSession()).sessionId, text('read'), resource))).toBe('end_turn');
  },
  'ACP-AUTH-002': () => expect(about.result.authMethods).toEqual([]),
  'ACP-AUTH-003': () => expect(about.result.authMethods).toEqual([]),
  async 'ACP-AUTH-004'() {
    expect(about.result.agentCapabilities.auth.logout).toEqual({});
    expect((await editor.request('logout', {})).result).toEqual({});
  },
  'ACP-CLIENTCAP-001': () => expect(methodsUsed().filter((name) => name.startsWith('fs/'))).toEqual([]),
  'ACP-CLIENTCAP-002': () => expect(methodsUsed().filter((name) => name.startsWith('terminal/'))).toEqual([]),
  async 'ACP-CLIENTCAP-003'() {
    await prompt((await newSession()).sessionId, text('/ask Which?|a|b'));
    expect(methodsUsed()).toContain('session/request_permission');
    expect(methodsUsed()).not.toContain('elicitation/create');
  },
  async 'ACP-EXT-001'() {
    expect((await editor.request('_custom', {})).error?.code).toBe(-32_601);
  },
  // The last cases look at everything that was sent before.
  // The answers to requests are checked above.
  'ACP-SCHEMA-001'() {
    for (const { method, params } of editor.messages)
      if (method !== undefined) expectShape(SHAPES[method] ?? `the method ${method}`, params);
  },
  async 'ACP-TRANSPORT-001'() {
    const lines = (await editor.close()).toString('utf8').trimEnd().split('\n');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  },
  async 'ACP-TRANSPORT-002'() {
    const bytes = await editor.close();
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow();
  },
};

function methodsUsed(): readonly string[] {
  return editor.messages.flatMap(({ method }) => method ?? []);
}

test.each(Object.entries(CASES))('%s', async (_id, run) => {
  await run();
});
