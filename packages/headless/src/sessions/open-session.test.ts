import { appendFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { assistant, messagesIn, run, start, STREAM } from '../run.test-support.ts';
import { entriesIn, prompt, sessionsPeer } from './sessions.test-support.ts';

const ID = '01234567-89ab-4def-8123-456789abcdef';
const OTHER = '11111111-1111-4111-8111-111111111111';

describe('a persistent session', () => {
  verifies('PROGRAM-4', 'continues with its id and history when it is resumed', async () => {
    const { agent, files } = sessionsPeer();
    const first = await agent([], prompt('one') + prompt('two'));
    expect(first.said).toEqual(['one', 'one|one|two']);
    const second = await agent([`--resume=${first.id}`], prompt('three'));
    expect(second).toMatchObject({ code: 0, stderr: '', id: first.id, said: ['one|one|two|one|one|two|three'] });
    const third = await agent(['--continue'], prompt('four'));
    expect(third).toMatchObject({ id: first.id, said: [expect.stringMatching(/^one\|.*\|three\|.*\|four$/)] });
    expect(files()).toHaveLength(1);
  });

  test('is one file in the folder of its project that only this user can read, and keeps the message ids', async () => {
    const { agent, files, home } = sessionsPeer();
    const { id, messages } = await agent([], prompt('one', { uuid: OTHER }));
    const [path = ''] = files();
    expect(path.startsWith(join(home, 'projects'))).toBe(true);
    expect(path.endsWith(`/${id}.jsonl`)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    const said = messages.find(({ type }) => type === 'assistant');
    expect(entriesIn(path)).toMatchObject([
      { type: 'user', uuid: OTHER, parentUuid: null, sessionId: id, cwd: process.cwd(), timestamp: expect.any(String) },
      { type: 'assistant', uuid: said?.['uuid'], parentUuid: OTHER, sessionId: id },
    ]);
  });

  verifies('TRN-23', 'recognizes a repeated prompt after a restart', async () => {
    const { agent } = sessionsPeer();
    const { id } = await agent([], prompt('one', { uuid: OTHER }));
    const again = await agent([`--resume=${id}`, '--replay-user-messages'], prompt('one', { uuid: OTHER }));
    expect(again.results).toEqual([]);
    expect(again.messages).toMatchObject([
      { type: 'command_lifecycle', command_uuid: OTHER, state: 'completed' },
      { type: 'user', uuid: OTHER, isReplay: true },
    ]);
  });

  test('is on disk with all messages of a turn before the result is sent', async () => {
    const { home, files } = sessionsPeer();
    const { stdin, stdout, written, code } = start(STREAM, { process: { env: { SJP_HOME: home } } });
    stdin.write(prompt('one'));
    while (!written.stdout.includes('"result"')) await new Promise((resolve) => stdout.once('data', resolve));
    expect(entriesIn(files()[0] ?? '').map(({ type }) => type)).toEqual(['user', 'assistant']);
    stdin.end();
    await code;
  });

  test('is not created before the first prompt, nor with --no-session-persistence', async () => {
    const { agent, files } = sessionsPeer();
    await agent([], '');
    expect((await agent(['--no-session-persistence'], prompt('one'))).said).toEqual(['one']);
    expect(files()).toEqual([]);
  });

  test('is in the state directory of the user, as XDG_STATE_HOME or HOME names it', async () => {
    const { home } = sessionsPeer();
    for (const [env, folder] of [
      [{ XDG_STATE_HOME: join(home, 'xdg') }, 'xdg/sjp'],
      [{ XDG_STATE_HOME: 'relative', HOME: join(home, 'user') }, 'user/.local/state/sjp'],
    ] as const) {
      await run([...STREAM, `--session-id=${ID}`], prompt('one'), { process: { env: { SJP_HOME: '', ...env } } });
      expect(statSync(join(home, folder, 'projects')).isDirectory()).toBe(true);
    }
  });

  test('may take an id from --session-id that is not used yet', async () => {
    const { agent } = sessionsPeer();
    expect(await agent([`--session-id=${ID}`], prompt('one'))).toMatchObject({ id: ID, code: 0 });
    const stderr = `Error: Session ID ${ID} is already in use.\n`;
    expect(await agent([`--session-id=${ID}`], prompt('two'))).toMatchObject({ code: 1, stdout: '', stderr });
  });

  test('fails when another process creates a session with the same id first', async () => {
    const { agent, home, files } = sessionsPeer();
    const one = start([...STREAM, `--session-id=${ID}`], { process: { env: { SJP_HOME: home } } });
    // The answer shows that the session is open.
    one.stdin.write('{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n');
    await new Promise((resolve) => one.stdout.once('data', resolve));
    await agent([`--session-id=${ID}`], prompt('first'));
    one.stdin.end(prompt('second'));
    expect(await one.code).toBe(1);
    expect(messagesIn(one.written.stdout).at(-1)).toMatchObject({
      subtype: 'error_during_execution',
      errors: [`Session ID ${ID} is already in use.`],
    });
    expect(entriesIn(files()[0] ?? '')).toHaveLength(2);
  });

  test('continues without persistence when the disk fails, and reports that once on stderr and to the host', async () => {
    const { agent, home } = sessionsPeer();
    writeFileSync(join(home, 'file'), '');
    const env = { SJP_HOME: join(home, 'file') };
    const { code, stderr, said, messages, id } = await agent([], prompt('one') + prompt('two'), { process: { env } });
    expect({ code, said }).toEqual({ code: 0, said: ['one', 'one|one|two'] });
    expect(stderr).toMatch(/^Warning: the rest of this session will not be stored: ENOTDIR.*\n$/);
    expect(messages.filter(({ subtype }) => subtype === 'session_writes_lost')).toMatchObject([
      { error_code: 'ENOTDIR', lost: ['transcript'], transcript_session_ids: [id] },
    ]);
  });
});

describe('a fork of a session', () => {
  test('has the history and a new id, and leaves the original unchanged', async () => {
    const { agent, files } = sessionsPeer();
    const { id } = await agent([], prompt('one'));
    const before = readFileSync(files()[0] ?? '', 'utf8');
    const fork = await agent([`--resume=${id}`, '--fork-session'], prompt('two'));
    expect(fork).toMatchObject({ code: 0, said: ['one|one|two'] });
    expect(fork.id).not.toBe(id);
    // File times may be equal within a few milliseconds, so the time is set explicitly.
    utimesSync(files().find((path) => path.includes(id)) ?? '', 1, 1);
    const named = await agent(['--continue', '--fork-session', `--session-id=${ID}`], prompt('three'));
    expect(named).toMatchObject({ id: ID, said: ['one|one|two|one|one|two|three'] });
    expect(readFileSync(files().find((path) => path.includes(id)) ?? '', 'utf8')).toBe(before);
    expect((await agent([`--resume=${fork.id}`], prompt('end'))).said).toEqual(['one|one|two|one|one|two|end']);
    expect(files()).toHaveLength(3);
  });
});

describe('a session resumed at an earlier message', () => {
  const uuids = [OTHER, ID];

  async function twoTurns() {
    const peer = sessionsPeer();
    const { id, messages } = await peer.agent([], uuids.map((uuid, n) => prompt(`p${n}`, { uuid })).join(''));
    const [first] = messages.filter(({ type }) => type === 'assistant');
    return { ...peer, id, at: String(first?.['uuid']) };
  }

  test('drops the messages after that message permanently', async () => {
    const { agent, id, at, files } = await twoTurns();
    const cut = await agent(
      [`--resume=${id}`, `--resume-session-at=${at}`],
      prompt('other', { uuid: crypto.randomUUID() }),
    );
    expect(cut.said).toEqual(['p0|p0|other']);
    expect((await agent([`--resume=${id}`], prompt('end'))).said).toEqual(['p0|p0|other|p0|p0|other|end']);
    expect(files()).toHaveLength(1);
    // The file keeps the dropped messages.
    expect(entriesIn(files()[0] ?? '')).toHaveLength(8);
  });

  test('drops the one turn that --resume-drops-turn names, and refuses to drop more', async () => {
    const { agent, id, at } = await twoTurns();
    const flags = [`--resume=${id}`, `--resume-session-at=${at}`, '--fork-session'];
    expect((await agent([...flags, `--resume-drops-turn=${ID}`], prompt('x'))).said).toEqual(['p0|p0|x']);
    for (const [flag, reason] of [
      [`--resume-drops-turn=${OTHER}`, /would lose more than the turn/],
      ['--resume-session-at=nowhere', /^No message found with message\.uuid of: nowhere\n$/],
    ] as const) {
      expect(await agent([...flags, flag], prompt('x'))).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(reason),
        results: [{ subtype: 'error_during_execution', session_id: id, num_turns: 0 }],
      });
    }
    await agent([`--resume=${id}`], prompt('p2'));
    const more = await agent([...flags, `--resume-drops-turn=${ID}`], prompt('x'));
    expect(more).toMatchObject({ code: 1, stderr: expect.stringMatching(/would lose more/) });
  });
});

describe('a session that does not exist', () => {
  const missing = `No conversation found with session ID: ${ID}`;

  test('is reported on stderr and as a single result, whatever the host has sent', async () => {
    const { agent } = sessionsPeer();
    const initialize = '{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n';
    const { code, stderr, messages } = await agent([`--resume=${ID}`], initialize + prompt('one'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: `${missing}\n` });
    const result = {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      num_turns: 0,
      errors: [missing],
    };
    expect(messages).toMatchObject([{ ...result, session_id: ID }]);
  });

  test.each([
    ['text', 'Execution error'],
    ['json', expect.stringMatching(/^\{.*"error_during_execution".*\}\n$/)],
  ])('is reported in the format %s', async (format, stdout) => {
    const argv = ['-p', 'x', `--output-format=${format}`, `--resume=${ID}`];
    expect(await run(argv)).toEqual({ code: 1, stdout, stderr: `${missing}\n` });
  });

  test.each([
    [['--continue'], 'No conversation found to continue\n'],
    [['--resume=a title'], 'No conversation found with session ID: a title\n'],
    [['--resume=../secret'], 'No conversation found with session ID: ../secret\n'],
    [['--resume=nowhere.jsonl'], 'No conversation found with session ID: nowhere.jsonl\n'],
    [['--resume'], 'Error: --resume needs the ID of a local session, or the path of its file\n'],
    [['--teleport'], 'Error: --teleport needs the ID of a remote session, or its address\n'],
    [['--teleport=x'], expect.stringMatching(/^Error: --teleport: the server is missing\. .* SJP_TELEPORT_URL .*\n$/)],
    [['--teleport=x', '--continue'], 'Error: --teleport cannot be used with --resume or --continue.\n'],
    [[`--teleport=x`, `--session-id=${ID}`], expect.stringContaining('if --fork-session is also specified')],
  ])('%j', async (argv, stderr) => {
    const { agent, home } = sessionsPeer();
    mkdirSync(join(home, 'projects'));
    writeFileSync(join(home, 'projects', 'secret'), '{"type":"user","uuid":"1"}');
    expect(await agent(argv, prompt('one'))).toMatchObject({ code: 1, stderr });
  });

  verifies('PROGRAM-4', 'may be opened by an agent that stores its sessions itself', async () => {
    const asked: unknown[] = [];
    const { said } = await sessionsPeer().agent(['--teleport=x'], prompt('two'), {
      openSession({ teleport }) {
        asked.push(teleport);
        return { sessionId: ID, history: [assistant('loaded')] };
      },
    });
    expect({ asked, said }).toEqual({ asked: ['x'], said: ['loaded|two'] });
  });
});

describe('a session file', () => {
  test('may be resumed by its path', async () => {
    const { agent, home } = sessionsPeer();
    const path = join(home, 'exported.jsonl');
    // Other agents also write lines that are not part of the conversation, and messages from subagents.
    const lines = [
      { type: 'summary', summary: 'about' },
      { type: 'user', uuid: 'u1', parentUuid: null, sessionId: ID, message: { role: 'user', content: 'one' } },
      { type: 'system', uuid: 's1', parentUuid: 'u1', sessionId: ID, content: 'noise' },
      { ...assistant('aside'), uuid: 'x1', parentUuid: 'u1', isSidechain: true, sessionId: ID },
      { ...assistant('uno'), uuid: 'a1', parentUuid: 's1', sessionId: ID },
    ];
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { id, said } = await agent([`--resume=${path}`], prompt('two'));
    expect({ id, said }).toEqual({ id: ID, said: ['one|uno|two'] });
    expect(entriesIn(path)).toHaveLength(lines.length + 2);
  });

  test('whose last line is incomplete loses that line, and the next line is whole', async () => {
    const { agent, files } = sessionsPeer();
    const { id } = await agent([], prompt('one'));
    const [path = ''] = files();
    appendFileSync(path, '{"type":"user","uuid":"torn","parentUu');
    expect((await agent([`--resume=${id}`], prompt('two'))).said).toEqual(['one|one|two']);
    expect((await agent([`--resume=${id}`], prompt('three'))).said).toEqual(['one|one|two|one|one|two|three']);
  });
});
