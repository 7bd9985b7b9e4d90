import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { WireMessage } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import type { HeadlessEnvironment } from '../environment.ts';
import { assistant, run, SJP_HOME, start, STREAM } from '../run.test-support.ts';
import { entriesIn, prompt, sessionsPeer } from './sessions.test-support.ts';

/** Tests of the layout that published tools expect: sessions in the configuration folder that a variable names. */

const ID = '01234567-89ab-4def-8123-456789abcdef';
const OTHER = '11111111-1111-4111-8111-111111111111';
const FLAG = '--session-layout=published';
const NAME = process.cwd().replace(/[^a-zA-Z0-9]/g, '-');

/** Agents that share a state folder and a configuration folder. */
function publishedPeer() {
  const peer = sessionsPeer();
  const CLAUDE_CONFIG_DIR = mkdtempSync(join(SJP_HOME, 'config-'));
  const env = { SJP_HOME: peer.home, CLAUDE_CONFIG_DIR };
  const folder = join(CLAUDE_CONFIG_DIR, 'projects', NAME);
  /** Runs an agent in the published layout. */
  const agent = (argv: readonly string[], input: string, environment: Partial<HeadlessEnvironment> = {}) =>
    peer.agent([FLAG, ...argv], input, { ...environment, process: { env, ...environment.process } });
  const fileOf = (id: string) => join(folder, `${id}.jsonl`);
  /** Writes a session in the way another agent would write it. */
  function foreign(id: string, entries: readonly (object | string)[]) {
    mkdirSync(folder, { recursive: true });
    const lines = entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
    writeFileSync(fileOf(id), lines.map((line) => `${line}\n`).join(''));
  }
  return { ...peer, agent, env, folder, fileOf, foreign };
}

/** An entry in the format that other agents use. */
function said(type: 'user' | 'assistant', uuid: string, parentUuid: string | null, content: unknown, members = {}) {
  const role = type;
  const place = { sessionId: ID, cwd: '/elsewhere', version: '2.1.330', userType: 'external', gitBranch: 'HEAD' };
  const message = { role, content, ...(type === 'assistant' && { id: `msg_${uuid}` }) };
  return {
    parentUuid,
    isSidechain: false,
    type,
    message,
    uuid,
    timestamp: '2026-11-01T00:00:00.000Z',
    ...place,
    ...members,
  };
}

describe('the published session layout', () => {
  test('keeps a session in the projects folder of CLAUDE_CONFIG_DIR, for this user alone', async () => {
    const { agent, fileOf, home, folder } = publishedPeer();
    const { id, code } = await agent([], prompt('one', { uuid: OTHER }));
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual([`${id}.jsonl`]);
    expect(statSync(fileOf(id)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(home)).toEqual([]);
    const [first, second] = entriesIn(fileOf(id));
    const place = {
      sessionId: id,
      cwd: process.cwd(),
      isSidechain: false,
      entrypoint: 'sdk-cli',
      version: expect.any(String),
    };
    expect(first).toMatchObject({ ...place, type: 'user', uuid: OTHER, parentUuid: null });
    expect(second).toMatchObject({ ...place, type: 'assistant', parentUuid: OTHER });
    expect(new Date(String(first?.['timestamp'])).toISOString()).toBe(first?.['timestamp']);
  });

  test('is chosen by the flag, else by SJP_SESSION_LAYOUT, else by the program, and is not the default', async () => {
    const { home, env, folder } = publishedPeer();
    const files = () => (readdirSync(home).length === 0 ? readdirSync(folder).length : 'own');
    const cases: readonly [
      argv: readonly string[],
      environment: Partial<HeadlessEnvironment>,
      found: number | 'own',
    ][] = [
      [[], { process: { env: { ...env, SJP_SESSION_LAYOUT: 'published' } } }, 1],
      [[], { process: { env }, sessionLayout: 'published' }, 2],
      [[FLAG], { process: { env: { ...env, SJP_SESSION_LAYOUT: 'own' } } }, 3],
      [['--session-layout=own'], { process: { env }, sessionLayout: 'published' }, 'own'],
    ];
    for (const [argv, environment, found] of cases) {
      await run([...STREAM, ...argv], prompt('one'), environment);
      expect(files()).toBe(found);
    }
    const plain = publishedPeer();
    await run(STREAM, prompt('one'), { process: { env: plain.env } });
    expect(readdirSync(plain.env.CLAUDE_CONFIG_DIR)).toEqual([]);
    expect(readdirSync(plain.home)).toEqual(['projects']);
  });

  test('never falls back to the home folder: without CLAUDE_CONFIG_DIR the agent does not start', async () => {
    const { home } = publishedPeer();
    const { code, stdout, stderr } = await run([...STREAM, FLAG], prompt('one'), { process: { env: { HOME: home } } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Error: the published session layout needs CLAUDE_CONFIG_DIR: set it to .*\n$/);
    expect(readdirSync(home)).toEqual([]);
    expect(await run(['-p', 'x'], '', { process: { env: { SJP_SESSION_LAYOUT: 'mine' } } })).toMatchObject({
      code: 1,
      stderr: "Error: SJP_SESSION_LAYOUT must be 'own' or 'published', not 'mine': correct or unset it\n",
    });
    expect((await run(['-p', 'x', '--session-layout=mine'])).stderr).toContain('own, published');
  });

  verifies('PROGRAM-4', 'resumes, continues and forks like the own layout', async () => {
    const { agent, fileOf, folder } = publishedPeer();
    const { id } = await agent([`--session-id=${ID}`], prompt('one'));
    expect(id).toBe(ID);
    expect(await agent([`--resume=${ID}`], prompt('two'))).toMatchObject({ id: ID, said: ['one|one|two'] });
    expect(await agent(['--continue'], prompt('three'))).toMatchObject({ id: ID });
    const before = readFileSync(fileOf(ID), 'utf8');
    const fork = await agent([`--resume=${ID}`, '--fork-session'], prompt('four'));
    expect(fork.said).toEqual(['one|one|two|one|one|two|three|one|one|two|one|one|two|three|four']);
    expect(fork.id).not.toBe(ID);
    expect(readFileSync(fileOf(ID), 'utf8')).toBe(before);
    // The entries of the fork keep the times of the original.
    const [original] = entriesIn(fileOf(ID));
    expect(entriesIn(fileOf(fork.id))[0]).toMatchObject({ sessionId: fork.id, timestamp: original?.['timestamp'] });
    expect(readdirSync(folder).toSorted()).toEqual([`${ID}.jsonl`, `${fork.id}.jsonl`].toSorted());
    expect((await agent([`--session-id=${ID}`], prompt('x'))).stderr).toBe(
      `Error: Session ID ${ID} is already in use.\n`,
    );
  });

  test('writes the same lines to the file and to the host that mirrors the session', async () => {
    const { agent, fileOf, env } = publishedPeer();
    const variables = { process: { env: { ...env, CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' } } };
    const { id, messages } = await agent(['--session-mirror'], prompt('one') + prompt('two'), variables);
    const frames = messages.filter(({ type }) => type === 'transcript_mirror');
    expect(frames.flatMap(({ entries }) => entries as readonly WireMessage[])).toEqual(entriesIn(fileOf(id)));
    expect(new Set(frames.map(({ filePath }) => filePath))).toEqual(new Set([fileOf(id)]));
    expect(entriesIn(fileOf(id))[0]).toMatchObject({ entrypoint: 'sdk-ts' });
  });

  test('loses only the torn last line of a crash', async () => {
    const { agent, fileOf } = publishedPeer();
    const { id } = await agent([], prompt('one'));
    appendFileSync(fileOf(id), '{"type":"user","uuid":"torn","parentUu');
    expect((await agent([`--resume=${id}`], prompt('two'))).said).toEqual(['one|one|two']);
    expect((await agent([`--resume=${id}`], prompt('three'))).said).toEqual(['one|one|two|one|one|two|three']);
  });

  test.each(['../../secret', '..%2fsecret', `${ID}/../../secret`, '/etc/passwd', 'a title'])(
    'does not look for a session called %j',
    async (name) => {
      const { agent, env } = publishedPeer();
      writeFileSync(join(env.CLAUDE_CONFIG_DIR, 'secret.jsonl'), JSON.stringify(said('user', 'u1', null, 'secret')));
      const { code, stderr } = await agent([`--resume=${name}`], prompt('one'));
      expect({ code, stderr }).toEqual({ code: 1, stderr: `No conversation found with session ID: ${name}\n` });
      expect((await agent([`--session-id=${name}`], prompt('one'))).stderr).toContain('Invalid session ID');
    },
  );
});

describe('a session of another agent', () => {
  test('continues, whatever else its file holds, and the file keeps it', async () => {
    const { agent, foreign, fileOf } = publishedPeer();
    foreign(ID, [
      { type: 'queue-operation', operation: 'enqueue', sessionId: ID, content: 'one' },
      said('user', 'u1', null, 'one', { promptId: 'p', permissionMode: 'default' }),
      {
        type: 'attachment',
        uuid: 'x1',
        parentUuid: 'u1',
        isSidechain: false,
        sessionId: ID,
        attachment: { type: 'date' },
      },
      said('assistant', 's1', 'u1', [{ type: 'text', text: 'of a subagent' }], { isSidechain: true }),
      '{"type":"user","uuid":"torn","par',
      said('assistant', 'a1', 'x1', [{ type: 'text', text: 'uno' }]),
      { type: 'last-prompt', lastPrompt: 'one', leafUuid: 'a1', sessionId: ID },
      { type: 'custom-title', customTitle: 'A title', sessionId: ID },
      { type: 'not-known-yet', uuid: 'n1', parentUuid: 'a1', sessionId: ID },
    ]);
    const { id, said: answers, messages } = await agent([`--resume=${ID}`], prompt('two'));
    expect({ id, answers }).toEqual({ id: ID, answers: ['one|uno|two'] });
    const lines = readFileSync(fileOf(ID), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(9 + 2);
    const [user, answer] = lines.slice(-2).map((line) => JSON.parse(line) as WireMessage);
    expect([user?.['parentUuid'], answer?.['parentUuid']]).toEqual(['a1', user?.['uuid']]);
    expect(messages.some(({ type }) => type === 'transcript_mirror')).toBe(false);
  });

  test('continues with the results of tools that ran in parallel', async () => {
    const { agent, foreign } = publishedPeer();
    const call = (uuid: string, parent: string, id: string) =>
      said('assistant', uuid, parent, [{ type: 'tool_use', id, name: 'Bash', input: {} }], {
        message: { id: 'msg', role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
      });
    const result = (uuid: string, parent: string, id: string) =>
      said('user', uuid, parent, [{ type: 'tool_result', tool_use_id: id, content: id }]);
    foreign(ID, [
      said('user', 'u1', null, 'go'),
      call('c1', 'u1', 't1'),
      call('c2', 'c1', 't2'),
      result('r2', 'c2', 't2'),
      result('r1', 'c1', 't1'),
      said('assistant', 'a1', 'r1', [{ type: 'text', text: 'done' }]),
    ]);
    const ids: unknown[] = [];
    await agent([`--resume=${ID}`], prompt('two'), {
      async *runTurn({ history }) {
        ids.push(...history.map(({ uuid }) => uuid));
        yield assistant('ok');
      },
    });
    expect(ids.slice(0, -1)).toEqual(['u1', 'c1', 'c2', 'r1', 'r2', 'a1']);
  });

  test('is continued by --continue, though files without a conversation are newer', async () => {
    const { agent, foreign, folder, fileOf } = publishedPeer();
    foreign(ID, [said('user', 'u1', null, 'one')]);
    utimesSync(fileOf(ID), 1, 1);
    foreign(OTHER, [{ type: 'custom-title', customTitle: 'empty', sessionId: OTHER }]);
    writeFileSync(join(folder, 'agent-a1b2.jsonl'), `${JSON.stringify(said('user', 'x', null, 'aside'))}\n`);
    expect(await agent(['--continue'], prompt('two'))).toMatchObject({ id: ID, said: ['one|two'] });
  });

  test('says of the transcript of a subagent what it is, and which session to resume', async () => {
    const { agent, foreign, folder } = publishedPeer();
    foreign(ID, [said('user', 'u1', null, 'one')]);
    const aside = said('user', 'x', null, 'aside', { isSidechain: true, agentId: 'a1b2' });
    const refusal = (name: string, session: string) =>
      `${name} is the transcript of a subagent, which cannot be resumed without its session. ${session}\n`;
    const below = join(folder, ID, 'subagents');
    const elsewhere = join(folder, 'elsewhere', OTHER, 'subagents');
    for (const each of [below, elsewhere]) mkdirSync(each, { recursive: true });
    writeFileSync(join(folder, 'elsewhere', `${OTHER}.jsonl`), '');
    const cases = [
      [join(folder, 'agent-a1b2.jsonl'), aside, `Resume the session instead: --resume=${ID}`],
      [join(below, 'agent-a1b2.jsonl'), aside, `Resume the session instead: --resume=${ID}`],
      [join(below, 'renamed.jsonl'), aside, `Resume the session instead: --resume=${ID}`],
      [join(below, 'agent-empty.jsonl'), '', `Resume the session instead: --resume=${ID}`],
      [
        join(elsewhere, 'agent-c3.jsonl'),
        { ...aside, sessionId: OTHER },
        `Resume the session instead: --resume=${join(folder, 'elsewhere', `${OTHER}.jsonl`)}`,
      ],
      [
        join(folder, 'agent-lost.jsonl'),
        { ...aside, sessionId: undefined },
        'Resume the session that started the subagent.',
      ],
    ] as const;
    for (const [path, line, session] of cases) {
      writeFileSync(path, `${JSON.stringify(line)}\n`);
      const { code, stderr } = await agent([`--resume=${path}`], prompt('two'));
      expect({ code, stderr }).toEqual({ code: 1, stderr: refusal(basename(path), session) });
    }
    // Old agents store the messages of subagents in the session file.
    foreign(OTHER, [{ ...aside, sessionId: OTHER }]);
    expect((await agent([`--resume=${OTHER}`], prompt('two'))).stderr).toBe(
      `No conversation found with session ID: ${OTHER}\n`,
    );
  });

  test('has the id of its file, also when its lines name another session', async () => {
    const { agent, foreign, fileOf } = publishedPeer();
    foreign(OTHER, [said('user', 'u1', null, 'one', { sessionId: '../../x' })]);
    const { id } = await agent(['--session-mirror', `--resume=${OTHER}`], prompt('two'));
    expect(id).toBe(OTHER);
    expect(dirname(fileOf(id))).toBe(dirname(fileOf(ID)));
  });
});

describe('a session that a process writes to', () => {
  /** A running agent that has answered one prompt. */
  async function running(environment: Partial<HeadlessEnvironment>, ...argv: readonly string[]) {
    const agent = start([...STREAM, FLAG, `--session-id=${ID}`, ...argv], environment);
    agent.stdin.write(prompt('one'));
    while (!agent.written.stdout.includes('"result"')) await new Promise((next) => agent.stdout.once('data', next));
    return agent;
  }

  test('is refused to others with the process that has it, and is free after the end of that process', async () => {
    const { agent, env, folder, fileOf } = publishedPeer();
    const one = await running({ process: { env } });
    const refused = await agent([`--resume=${ID}`], prompt('two'));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const lock = `${fileOf(ID)}.lock`;
    expect(refused.stderr).toBe(
      `Error: Session ${ID} is in use by process ${process.pid}: end that process, continue under another id with --fork-session, or delete ${lock} if that process is not running\n`,
    );
    expect((await agent(['--continue'], prompt('two'))).stderr).toContain('is in use');
    // A copy does not affect the process that is writing.
    expect((await agent([`--resume=${ID}`, '--fork-session'], prompt('two'))).code).toBe(0);
    expect((await agent([`--resume=${ID}`, '--no-session-persistence'], prompt('two'))).code).toBe(0);
    one.stdin.end();
    await one.code;
    expect(readdirSync(folder).filter((name) => name.includes('.lock'))).toEqual([]);
    expect((await agent([`--resume=${ID}`], prompt('three'))).code).toBe(0);
  });

  test('may be shared in the own layout', async () => {
    const { home } = sessionsPeer();
    const env = { SJP_HOME: home };
    const one = await running({ process: { env } }, '--session-layout=own');
    expect((await run([...STREAM, `--resume=${ID}`], prompt('two'), { process: { env } })).code).toBe(0);
    one.stdin.end();
    await one.code;
  });
});

describe('the other files and lines of a session in the published layout', () => {
  test('the title is a line that published lists read, and comes after the first message of a new session', async () => {
    const { agent, fileOf, folder } = publishedPeer();
    const title = (subtype: string, members: object) =>
      `${JSON.stringify({ type: 'control_request', request_id: subtype, request: { subtype, ...members } })}\n`;
    const generate = title('generate_session_title', { description: 'About this', persist: true });
    await agent([], generate);
    expect(existsSync(folder)).toBe(false);
    await agent([`--session-id=${ID}`], generate + prompt('one'));
    const named = { type: 'ai-title', aiTitle: 'About this', sessionId: ID };
    expect(entriesIn(fileOf(ID)).filter(({ type }) => type !== 'user' && type !== 'assistant')).toEqual([named]);
    await agent([`--resume=${ID}`], title('rename_session', { title: 'By hand' }));
    expect(entriesIn(fileOf(ID)).at(-1)).toEqual({ type: 'custom-title', customTitle: 'By hand', sessionId: ID });
    expect((await agent([`--resume=${ID}`], prompt('two'))).said).toEqual(['one|one|two']);
  });

  test('the title is also sent to a host that mirrors the session', async () => {
    const { agent, fileOf } = publishedPeer();
    const rename = {
      type: 'control_request',
      request_id: '1',
      request: { subtype: 'rename_session', title: 'By hand' },
    };
    const { messages } = await agent(
      [`--session-id=${ID}`, '--session-mirror'],
      `${JSON.stringify(rename)}\n${prompt('one')}`,
    );
    const frames = messages.filter(({ type }) => type === 'transcript_mirror');
    const entries = frames.flatMap((frame) => frame['entries'] as readonly WireMessage[]);
    const titles = (lines: readonly object[]) => lines.filter((line) => 'customTitle' in line);
    expect(titles(entries)).toEqual([{ type: 'custom-title', customTitle: 'By hand', sessionId: ID }]);
    expect(titles(entriesIn(fileOf(ID)))).toEqual(titles(entries));
  });

  test('messages of a subagent are in a separate file, unless its id could point elsewhere', async () => {
    const { agent, fileOf, folder } = publishedPeer();
    const { id } = await agent([], prompt('one'), {
      async *runTurn() {
        for (const of of ['toolu_1', '../../up', 'toolu_1'])
          yield { ...assistant(`for ${of}`), parent_tool_use_id: of };
        yield assistant('done');
      },
    });
    expect(entriesIn(fileOf(id)).map(({ type }) => type)).toEqual(['user', 'assistant']);
    const subagents = join(folder, id, 'subagents');
    expect(readdirSync(subagents).toSorted()).toEqual(['agent-toolu_1.jsonl', 'agent-toolu_1.meta.json']);
    expect(JSON.parse(readFileSync(join(subagents, 'agent-toolu_1.meta.json'), 'utf8'))).toEqual({
      toolUseId: 'toolu_1',
    });
    expect(statSync(subagents).mode & 0o777).toBe(0o700);
    const path = join(subagents, 'agent-toolu_1.jsonl');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const [first, second, ...more] = entriesIn(path);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      type: 'assistant',
      isSidechain: true,
      agentId: 'toolu_1',
      sessionId: id,
      parentUuid: null,
    });
    expect(second?.['parentUuid']).toBe(first?.['uuid']);
  });

  test('a message that no user wrote is marked for readers, and known as such when the session is resumed', async () => {
    const { agent, fileOf } = publishedPeer();
    const { id } = await agent([], prompt('one', { isSynthetic: true }));
    expect(entriesIn(fileOf(id))).toMatchObject([{ isMeta: true, isSynthetic: true }, { type: 'assistant' }]);
    const known: unknown[] = [];
    await agent([`--resume=${id}`], prompt('two'), {
      async *runTurn({ history }) {
        known.push(...history.map(({ isSynthetic, isMeta }) => [isSynthetic, isMeta]));
        yield assistant('ok');
      },
    });
    expect(known[0]).toEqual([true, undefined]);
    expect(known[1]).toEqual([undefined, undefined]);
  });
});
