import type { WireMessage } from '@proto/core/framing';
import { createMemoryPair, encodeBatch, type Transport } from '@proto/core/transport';
import { recordTransport } from '@proto/recording';
import { diffRecordings, recordingText } from '@proto/recording/diff';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { play } from './api.test-support.ts';
import { CassetteError } from './cassette-error.ts';

/** How the agent reacts to a prompt: it asks for permission to use some tools, in order, and reports the answers. */
const TOOLS: Readonly<Record<string, readonly string[]>> = { 'read and write': ['Read', 'Write'], hello: [] };

interface AgentOptions {
  /** The tools for each prompt. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  /** The number of results after which the agent ends on its own. */
  readonly lastsFor?: number;
  readonly isSilent?: boolean;
  /** The folder that the agent reports at the beginning of each turn. */
  readonly cwd?: string;
  /** Whether all questions have the same id, which is also the id of the host's first request. */
  readonly usesOneId?: boolean;
}

/** An agent that uses new ids in each run, and reports when it is idle. */
async function runAgent(
  wire: Transport,
  { tools = TOOLS, lastsFor = Infinity, isSilent, cwd = '/home/ada/app', usesOneId = false }: AgentOptions = {},
) {
  const session = crypto.randomUUID();
  const say = (message: object) => wire.send(encodeBatch({ ...message, session_id: session }));
  const answers = new Map<string, (behavior: string) => void>();
  let results = 0;
  const turn = async (prompt: string) => {
    const outcome: string[] = [];
    const memory = `/state/${cwd.replaceAll(/[^\w]/g, '-')}`;
    await say({ type: 'system', subtype: 'init', cwd, memory, files: [`${cwd}/a.txt`, `${cwd}.old`] });
    for (const tool of tools[prompt] ?? []) {
      const id = usesOneId ? 'init' : crypto.randomUUID();
      const answered = new Promise<string>((resolve) => answers.set(id, resolve));
      const request = { subtype: 'can_use_tool', tool_name: tool, input: { of: tool }, tool_use_id: id };
      await say({ type: 'control_request', request_id: id, request });
      const behavior = await answered;
      outcome.push(`${tool} ${behavior}`);
      if (behavior === 'deny') break;
    }
    await say({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: outcome.join() }] } });
    await say({ type: 'result', subtype: 'success', is_error: false, result: outcome.join() });
    await say({ type: 'system', subtype: 'session_state_changed', state: 'idle' });
    if (++results >= lastsFor) await wire.close();
  };
  for await (const items of wire.incoming) {
    for (const item of items) {
      const message = item.kind === 'message' ? item.read().message : undefined;
      if (message === undefined || isSilent) continue;
      if (message.type === 'user') void turn(promptOf(message)).catch(() => {});
      if (message.type === 'control_request') {
        const { request_id } = message as WireMessage & { request_id: string };
        await say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } });
      }
      const { request_id: id, response } = Object(message['response']) as { request_id: string; response: object };
      answers.get(id)?.((response as { behavior?: string } | undefined)?.behavior ?? 'error');
    }
  }
  await wire.end().catch(() => {});
}

const promptOf = ({ message }: WireMessage) => (message as { content: string }).content;

/** Records a host that sends `prompts` to an agent, each when the agent is idle, and allows everything. */
async function record(
  prompts: readonly string[],
  { leaves = false, ...agent }: AgentOptions & { readonly leaves?: boolean } = {},
): Promise<string> {
  const pair = createMemoryPair();
  const running = runAgent(pair.agent, agent);
  let text = '';
  const host = recordTransport(pair.host, { side: 'host', write: (line) => void (text += line) });
  const send = (message: object) => host.send(encodeBatch(message));
  await send({ type: 'control_request', request_id: 'init', request: { subtype: 'initialize' } });
  let [next, session] = [0, ''];
  const prompt = async () => {
    const content = prompts[next++];
    if (content !== undefined) {
      return send({ type: 'user', message: { role: 'user', content }, uuid: `u${next}`, session_id: session });
    }
    return leaves ? host.close() : host.end();
  };
  await prompt();
  for await (const items of host.incoming) {
    for (const item of items) {
      const message = item.kind === 'message' ? item.read().message : undefined;
      const id = message?.['session_id'];
      if (typeof id === 'string') session = id;
      if (message?.['state'] === 'idle') await prompt();
      if (message?.type !== 'control_request') continue;
      const { request_id, request } = message as unknown as { request_id: string; request: { tool_use_id: string } };
      const response = { behavior: 'allow', toolUseID: request.tool_use_id };
      await send({ type: 'control_response', response: { subtype: 'success', request_id, response } });
    }
  }
  await running;
  return text;
}

async function drive(
  text: string,
  options: Parameters<Awaited<ReturnType<typeof play>>['player']['drive']>[1] = {},
  agent: AgentOptions = {},
) {
  const { player } = await play(text);
  const pair = createMemoryPair();
  const running = runAgent(pair.agent, agent).catch(() => {});
  const { problems, expected, found } = await player.drive(pair.host, options);
  await running;
  const { differences } = await diffRecordings(recordingText(expected), recordingText(found));
  const list: string[] = [];
  for await (const { kind, name, turn, members } of differences) {
    list.push(`${turn} ${kind} ${name} ${members.map(({ path }) => path).join()}`.trim());
  }
  return { problems, differences: list };
}

/** The number of the frame that contains a text. */
const frameOf = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part));

describe('the host of a tape', () => {
  verifies(['TEST-2', 'TEST-3'], 'says the same again when the agent is as far as it was then', async () => {
    const text = await record(['hello', 'read and write', 'hello']);
    for (let run = 0; run < 3; run++) expect(await drive(text)).toEqual({ problems: [], differences: [] });
  });

  test('is the same in another folder, of which only a part of a name is not', async () => {
    const text = await record(['hello', 'read and write']);
    const { problems, differences } = await drive(text, {}, { cwd: '/srv/ci.1/app+1' });
    expect(problems).toEqual([]);
    expect(differences).toEqual(['1 changed system/init files.1', '2 changed system/init files.1']);
  });

  test('that left before its agent had ended can be played', async () => {
    const text = await record(['hello', 'read and write'], { leaves: true });
    expect(text).not.toContain('"dir":"from-agent","end"');
    expect(await drive(text)).toEqual({ problems: [], differences: [] });
  });

  test('answers each question of an agent that uses an id again', async () => {
    const text = await record(['read and write', 'read and write'], { usesOneId: true });
    expect(await drive(text, {}, { usesOneId: true })).toEqual({ problems: [], differences: [] });
    expect(await drive(text)).toEqual({ problems: [], differences: [] });
  });

  test('gives a changed answer, and continues', async () => {
    const text = await record(['read and write', 'hello']);
    const frame = frameOf(text, 'Read');
    const { problems, differences } = await drive(text, { answers: new Map([[frame, 'deny']]) });
    const answer = frameOf(text, '\\"behavior\\":\\"allow\\"');
    expect(answer).toBe(frame + 1);
    expect(problems).toEqual([`the agent did not send the request that frame ${frameOf(text, 'Write') + 1} answers`]);
    expect(differences[0]).toMatch(/^1 changed control_response\/success .*response\.response\.behavior/);
    expect(differences).toEqual(expect.arrayContaining(['1 missing control_request/can_use_tool']));
    expect(differences.filter((one) => one.startsWith('2'))).toEqual([]);
    expect(await drive(text, { answers: new Map([[answer, 'deny']]) })).toEqual({ problems, differences });
    // Giving the same answer a second time changes nothing.
    const same = await drive(text, { answers: new Map([[frame, 'allow']]) });
    expect(same).toMatchObject({ problems: [], differences: [expect.stringContaining('updatedInput')] });
  });

  test('has permissions only where the tape has some', async () => {
    const text = await record(['read and write']);
    const failed = drive(text, { answers: new Map([[1, 'deny']]) });
    await expect(failed).rejects.toThrow(CassetteError);
    const [read, write] = [frameOf(text, 'Read'), frameOf(text, 'Write')];
    await expect(failed).rejects.toThrow(
      `frame 1 is not a permission request: the cassette contains ${read} Read, ${write} Write`,
    );
    const none = drive(await record(['hello']), { answers: new Map([[3, 'deny']]) });
    await expect(none).rejects.toThrow(
      'frame 3 is not a permission request: the cassette contains no permission requests',
    );
  });

  test('says where an agent does not follow', async () => {
    const text = await record(['hello', 'read and write']);
    const more = { ...TOOLS, 'read and write': ['Read', 'Write', 'Bash'] };
    expect((await drive(text, {}, { tools: more })).problems).toEqual([
      'the agent sent the request can_use_tool Bash, but the tape has no answer to it',
    ]);
    const none = { ...TOOLS, 'read and write': [] };
    const { problems } = await drive(text, {}, { tools: none });
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^the agent did not send the request that frame \d+ answers$/);
    expect((await drive(text, {}, { lastsFor: 1 })).problems).toEqual([
      `the agent ended before the end of the tape: the next frame of the tape is frame ${frameOf(text, '"from-host","line":"{\\"type\\":\\"user\\",\\"message\\":{\\"role\\":\\"user\\",\\"content\\":\\"read')}`,
    ]);
    expect((await drive(text, { maxSilenceMs: 50 }, { isSilent: true })).problems[0]).toMatch(
      /^the agent sent nothing for 50 ms, but the tape expects the messages before frame \d+$/,
    );
  });
});
