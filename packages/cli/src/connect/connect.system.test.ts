/** Tests of `sjp connect`, with `sjp connect` and `sjp serve` run as programs. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseLine } from '@proto/core/framing';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import {
  AGENT,
  FOLDER,
  line,
  MAIN,
  messagesIn,
  outcomeOf,
  prompt,
  readUntil,
  request,
  run,
  start,
} from '../bins.test-support.ts';
import { startServer, user } from '../serve/serve.test-support.ts';
import { until } from '../until.test-support.ts';

const connect = (base: string, args: readonly string[], input = '') => run(MAIN, ['connect', base, ...args], input);
const errorIn = (stderr: string) =>
  (JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { readonly error: object }).error;
const place = (name: string) => join(FOLDER, `place-${name}`);

const TRANSCRIPTS = new URL('../../../core/testdata/transcripts/', import.meta.url);

/** Every message that a recorded agent wrote, but only the first message with each uuid. */
function corpus(): readonly string[] {
  const seen = new Set<unknown>();
  const rows = readdirSync(TRANSCRIPTS).flatMap((file) => readFileSync(new URL(file, TRANSCRIPTS), 'utf8').split('\n'));
  return rows.flatMap((row) => {
    const { dir, line: text } = JSON.parse(row === '' ? '{}' : row) as { readonly dir?: string; readonly line: string };
    const { message } = dir === 'from-agent' ? parseLine(text) : {};
    if (message === undefined || seen.has(message['uuid'] ?? text)) return [];
    seen.add(message['uuid'] ?? text);
    return text;
  });
}

/** An agent that writes the contents of a file at the first prompt, and nothing else. */
const reciting = (file: string) => [
  process.execPath,
  '-e',
  `process.stdin.once('data', () => process.stdout.write(require('node:fs').readFileSync(${JSON.stringify(file)})))`,
  '--',
];

describe('sjp connect in place of an agent', () => {
  test('ignores the flags that its host appends', async () => {
    const server = await startServer(['--', AGENT]);
    const words = ['connect', server.base, '--session', 'new', '--token-file', server.tokenFile];
    const outcome = await run(MAIN, ['run', 'hello', '--format', 'final', '--', process.execPath, MAIN, ...words]);
    expect(outcome).toMatchObject({ stdout: 'You said: hello\n', code: 0 });
    await server.stop();
  });

  const links = ['sse', 'ws'] as const;
  for (const link of links) {
    verifies(
      'COMMAND-1',
      `every message of a recorded agent comes out as it was written, byte for byte, by ${link}`,
      async () => {
        const lines = corpus();
        expect(lines.length).toBeGreaterThan(900);
        const file = join(FOLDER, `corpus-${link}.ndjson`);
        writeFileSync(file, lines.map((text) => `${text}\n`).join(''));
        const server = await startServer(['--', ...reciting(file)]);
        const child = start(MAIN, ['connect', server.base, '--session', 'new', '--prefer', link]);
        child.stdin.write(prompt('say it all'));
        let out = '';
        // The server drops stream events for a client that is too slow.
        const isKept = (text: string) => !text.includes('"type":"stream_event"');
        const got = () => out.slice(0, out.lastIndexOf('\n')).split('\n');
        const wanted = lines.filter(isKept).length;
        for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
          out += chunk;
          if (got().filter(isKept).length >= wanted) break;
        }
        child.kill('SIGTERM');
        out += await text(child.stdout);
        // The server adds a uuid to a message without a uuid.
        const GIVEN = /,"uuid":"[0-9a-f-]{36}"\}$/;
        const written = new Set(lines);
        const asWritten = got().map((text) => (written.has(text) ? text : text.replace(GIVEN, '}')));
        expect(asWritten.filter(isKept)).toEqual(lines.filter(isKept));
        const increments = asWritten.filter((text) => !isKept(text));
        expect(increments.length).toBeGreaterThan(0);
        expect(increments.filter((text) => !written.has(text))).toEqual([]);
      },
    );
  }

  test('lets a host initialize, answer a permission request, and end the session by ending its input', async () => {
    const server = await startServer(['--', AGENT]);
    const child = start(MAIN, ['connect', server.base, '--session', 'new']);
    child.stdin.write(request('initialize'));
    await readUntil(child, '"commands"');
    child.stdin.write(prompt('/bash echo through the network'));
    const [asked] = messagesIn(await readUntil(child, '"can_use_tool"')).slice(-1);
    const response = { subtype: 'success', request_id: asked?.['request_id'], response: { behavior: 'allow' } };
    const { stdout, code } = await outcomeOf(child, line({ type: 'control_response', response }));
    expect(code).toBe(0);
    expect(messagesIn(stdout)).toContainEqual(
      expect.objectContaining({ type: 'result', result: 'through the network' }),
    );
  });

  for (const link of links) {
    test(`cancels a question exactly once when another client answers it, over ${link}`, async () => {
      const server = await startServer(['--', AGENT]);
      const session = await server.newSession();
      const child = start(MAIN, ['connect', server.base, '--session', session, '--prefer', link]);
      await server.say(session, user('/bash echo hi'));
      const [asked] = messagesIn(await readUntil(child, '"can_use_tool"')).slice(-1);
      const request_id = asked?.['request_id'];
      const response = { subtype: 'success', request_id, response: { behavior: 'allow' } };
      await server.say(session, { type: 'control_response', response });
      const received = messagesIn(await readUntil(child, '"type":"result"'));
      expect(received.filter(({ type }) => String(type).startsWith('control_'))).toEqual([
        { type: 'control_cancel_request', request_id },
      ]);
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
  }

  test('writes only the messages of the output format', async () => {
    const server = await startServer(['--', AGENT]);
    const session = await server.newSession();
    const on = (format: string, since = 'now') =>
      connect(server.base, ['--session', session, '--format', format, '--since', since], '/echo 世界\n');
    expect(await on('text')).toEqual({ stdout: expect.stringMatching(/^世界\n✔ done in .*\n$/), stderr: '', code: 0 });
    const json = await on('json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([0, { type: 'result', result: '世界' }]);
    const url = `sse+${server.base}/v1/code/sessions/${session}`;
    const ndjson = await run(MAIN, ['connect', url, '--json', '--since', 'now'], prompt('/echo 世界'));
    expect({ stderr: ndjson.stderr, code: ndjson.code }).toEqual({ stderr: '', code: 0 });
    const types = messagesIn(ndjson.stdout).map(({ type }) => type);
    expect(types.filter((type) => type === 'assistant' || type === 'result')).toEqual(['assistant', 'result']);
  });

  test('reports a stdin line that is not a message, and sends the other lines', async () => {
    const server = await startServer(['--', AGENT]);
    const { stdout, stderr, code } = await connect(server.base, ['--session', 'new'], `no JSON\n${prompt('/echo hi')}`);
    expect(code).toBe(0);
    expect(errorIn(stderr)).toMatchObject({ code: 'malformed' });
    expect(messagesIn(stdout)).toContainEqual(expect.objectContaining({ result: 'hi' }));
  });

  test('ends quietly when its output is closed', async () => {
    const server = await startServer(['--', AGENT]);
    const child = start(MAIN, ['connect', server.base, '--session', 'new', '--format', 'text']);
    child.stdin.end('/slow 60\n');
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toEqual([0, null]);
  });

  test.skipIf(process.platform === 'win32')('ends on a signal, and the session continues', async () => {
    const server = await startServer(['--', AGENT]);
    const session = await server.newSession();
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const child = start(MAIN, ['connect', server.base, '--session', session, '--since', 'now']);
      child.stdin.write(prompt(`/echo ${signal}`));
      await readUntil(child, '"result"');
      const ended = outcomeOf(child);
      child.kill(signal);
      expect((await ended).code).toBe(code);
    }
    expect((await server.say(session, user('still there?'))).status).toBe(200);
  });
});

describe('failures of sjp connect', () => {
  verifies(
    'COMMAND-3',
    'each failure has an exit code and an error that says whether a retry can help, and writes nothing to stdout',
    async () => {
      const server = await startServer();
      const wrong = join(FOLDER, 'wrong-token');
      writeFileSync(wrong, 'another-token-0123456789\n');
      const viewers = join(FOLDER, 'viewers.json');
      writeFileSync(
        viewers,
        JSON.stringify({ accounts: [{ name: 'v', role: 'viewer', token: 'viewer-token-0123456789' }] }),
      );
      const session = await server.newSession();
      const refused = await connect(server.base, ['--session', session, '--token-file', wrong]);
      expect([refused.code, errorIn(refused.stderr)]).toEqual([
        3,
        expect.objectContaining({
          code: 'auth_required',
          hint: 'check --token-file',
          retryable: false,
          data: { status: 401, permanent: true },
        }),
      ]);
      const missing = await connect(server.base, ['--session', 'cse_nowhere']);
      expect([missing.code, errorIn(missing.stderr)]).toMatchObject([
        4,
        { code: 'not_found', data: { permanent: true } },
      ]);
      const nobody = await connect('http://127.0.0.1:1', ['--session', session]);
      expect([nobody.code, errorIn(nobody.stderr)]).toMatchObject([4, { code: 'unreachable', retryable: true }]);
      const reader = await startServer(['--token-file', viewers]);
      const token = join(FOLDER, 'viewer-token');
      writeFileSync(token, 'viewer-token-0123456789\n');
      const maker = await connect(reader.base, ['--session', 'new', '--token-file', token]);
      expect([maker.code, errorIn(maker.stderr)]).toMatchObject([3, { code: 'forbidden' }]);
      for (const { stdout } of [refused, missing, nobody, maker]) expect(stdout).toBe('');
    },
  );

  test.each<[what: string, args: string[], message: string]>([
    ['no session', ['http://127.0.0.1:1'], 'the session is missing'],
    [
      'two sessions',
      ['http://127.0.0.1:1/v1/code/sessions/cse_1', '--session', 'cse_2'],
      'the address and --session name different sessions',
    ],
    ['no address', ['cse_1'], 'the address must start with'],
    ['a secret in the address', ['http://user:pass@127.0.0.1:1', '--session', 'x'], '--token-file'],
    ['no place', ['http://127.0.0.1:1', '--session', 'x', '--since', 'yesterday'], '--since must be'],
    [
      'no such token',
      ['http://127.0.0.1:1', '--session', 'x', '--token-file', '/no/such/file'],
      'no such file or directory',
    ],
  ])('%s is wrong usage', async (_, args, message) => {
    const { code, stdout, stderr } = await run(MAIN, ['connect', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(errorIn(stderr)).toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
    const text = await run(MAIN, ['connect', ...args, '--format', 'text']);
    expect(text.stderr).toMatch(/^sjp connect: .*\n$/);
  });

  test('an agent that dies is reported as an error of the agent, also after the end of the input', async () => {
    const program = `process.stdin.once('data', () => { console.error('so long'); process.exit(3); })`;
    const server = await startServer(['--', process.execPath, '-e', program, '--']);
    const { stdout, stderr, code } = await connect(server.base, ['--session', 'new'], prompt('hello'));
    expect([code, errorIn(stderr)]).toMatchObject([5, { code: 'agent_exited' }]);
    expect(messagesIn(stdout).slice(-2)).toMatchObject([
      { type: 'result', is_error: true },
      { subtype: 'agent_exited', code: 3, stderr: 'so long\n' },
    ]);
    const text = await connect(server.base, ['--session', 'new', '--format', 'text'], 'hello\n');
    expect([text.code, text.stdout]).toEqual([
      5,
      expect.stringMatching(/^✖ error_during_execution after .*exited with code 3\n✖ the agent exited with code 3\n$/),
    ]);
  });

  test('the saved token is used only on this machine, and no flag takes a token', async () => {
    const server = await startServer();
    const session = await server.newSession();
    const args = ['connect', server.base, '--session', session, '--since', 'now', '--format', 'json'];
    const elsewhere = { SJP_HOME: join(FOLDER, 'elsewhere') };
    expect((await run(MAIN, args, '', elsewhere)).code).toBe(3);
    const follower = start(MAIN, args, { ...elsewhere, SJP_TOKEN: server.token });
    const ended = outcomeOf(follower, '');
    await until(async () => expect((await server.call(`/${session}`)).status).toBe(200));
    follower.kill('SIGTERM');
    expect((await ended).stderr).toBe('');
    expect((await run(MAIN, [...args, '--token', server.token])).code).toBe(2);
  });
});

describe('the start position of sjp connect', () => {
  /** Returns the texts that a reader of a session receives, up to the last text. */
  async function read(base: string, args: readonly string[], last: string) {
    const child = start(MAIN, ['connect', base, ...args]);
    const texts = messagesIn(await readUntil(child, `"${last}"`)).map(({ text }) => text);
    const ended = outcomeOf(child);
    child.kill('SIGTERM');
    const { stderr } = await ended;
    return { texts, stderr };
  }
  const note = (text: string) => ({ type: 'note', uuid: crypto.randomUUID(), text });

  verifies(
    'LINK-2',
    'the cursor counts only messages that were written: after a kill, the next reader misses none',
    async () => {
      const server = await startServer();
      const session = await server.newSession();
      const texts = Array.from({ length: 100 }, (_, index) => `note ${index + 1} ${'.'.repeat(20_000)}`);
      await server.say(session, ...texts.map(note));
      const file = place('killed');
      const args = ['--session', session, '--cursor-file', file];
      // The whole session has arrived here; output that exceeds the capacity of the pipe waits.
      const child = start(MAIN, ['connect', server.base, ...args]);
      await until(() => expect(readFileSync(file, 'utf8')).toMatch(/ \d+@[\w-]+\n$/));
      child.kill('SIGKILL');
      const { stdout } = await outcomeOf(child);
      const got = messagesIn(stdout.slice(0, stdout.lastIndexOf('\n') + 1)).map(({ text }) => text);
      const [, cursor, log] = /^\S+ (\d+)@([\w-]+)\n$/.exec(readFileSync(file, 'utf8')) ?? [];
      expect(Number(cursor)).toBeLessThanOrEqual(got.length);
      expect(got.length).toBeLessThan(texts.length);
      expect(got).toEqual(texts.slice(0, got.length));
      const rest = await read(server.base, args, texts.at(-1) ?? '');
      expect(rest.texts).toEqual(texts.slice(Number(cursor)));
      // This reader was ended with a signal, so it saved its final position.
      expect(readFileSync(file, 'utf8')).toBe(`${session} ${texts.length}@${log}\n`);
    },
  );

  test('--since selects the start, the live end, or an event number', async () => {
    const server = await startServer();
    const session = await server.newSession();
    await server.say(session, note('one'), note('two'), note('three'));
    const of = (...args: string[]) => ['--session', session, ...args];
    expect((await read(server.base, of(), 'three')).texts).toEqual(['one', 'two', 'three']);
    expect((await read(server.base, of('--since', '1'), 'three')).texts).toEqual(['two', 'three']);
    const now = start(MAIN, ['connect', server.base, ...of('--since', 'now')]);
    let out = '';
    now.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    // Sends again until the first note arrives.
    await until(async () => {
      await server.say(session, note('later'));
      expect(out).toContain('\n');
    });
    expect(new Set(messagesIn(out).map(({ text }) => text))).toEqual(new Set(['later']));
    now.kill('SIGKILL');
  });

  test('a cursor file of another session, or another file, is refused', async () => {
    const server = await startServer();
    const session = await server.newSession();
    const file = place('of-another');
    writeFileSync(file, 'cse_other 5\n');
    const args = ['--session', session, '--cursor-file', file];
    expect(await connect(server.base, args)).toMatchObject({ code: 2, stderr: expect.stringContaining('cse_other') });
    writeFileSync(file, 'hello\n');
    expect(await connect(server.base, args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a cursor file'),
    });
    expect(readFileSync(file, 'utf8')).toBe('hello\n');
  });

  test('a gap is reported; with --require-continuity it ends the command and keeps the cursor', async () => {
    const server = await startServer();
    const session = await server.newSession();
    await server.say(session, note('one'), note('two'));
    const file = place('gap');
    writeFileSync(file, `${session} 100\n`);
    const args = ['--session', session, '--cursor-file', file];
    const strict = await connect(server.base, [...args, '--require-continuity']);
    expect([strict.code, strict.stdout, errorIn(strict.stderr)]).toMatchObject([9, '', { code: 'gap' }]);
    expect(readFileSync(file, 'utf8')).toBe(`${session} 100\n`);
    const follower = start(MAIN, ['connect', server.base, ...args]);
    await once(follower.stderr, 'data').then(([text]) => expect(String(text)).toContain('"resumed":false'));
    await server.say(session, note('three'));
    expect(messagesIn(await readUntil(follower, '"three"')).map(({ text }) => text)).toEqual(['three']);
    follower.kill('SIGKILL');
  });

  test('a server that restarts on the same store and port is reported on stderr, and no message is lost', async () => {
    const file = join(FOLDER, 'sessions.db');
    const first = await startServer(['--store', file]);
    const session = await first.newSession();
    await first.say(session, note('one'));
    const child = start(MAIN, ['connect', first.base, '--session', session]);
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += String(text)));
    expect(await readUntil(child, '"one"')).toContain('one');
    await first.stop();
    await until(() => expect(stderr).toContain('"state":"down"'));
    const second = await startServer(['--store', `file:${file}`, '--listen', first.base.slice('http://'.length)]);
    await second.say(session, note('two'));
    expect(messagesIn(await readUntil(child, '"two"')).map(({ text }) => text)).toEqual(['two']);
    expect(stderr).toContain('"state":"up"');
    child.kill('SIGKILL');
  });
});
