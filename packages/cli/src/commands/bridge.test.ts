import { once } from 'node:events';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@proto/test-support';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from 'ws';
import {
  AGENT,
  FOLDER,
  lives,
  MAIN,
  messagesIn,
  outcomeOf,
  prompt,
  readUntil,
  run,
  start,
  STREAM,
  TOKEN,
  TOKEN_FILE,
} from '../bins.test-support.ts';
import { startSocketServer } from '../socket-server.test-support.ts';

const node = (program: string) => ['--', process.execPath, '--eval', program];
const LISTEN = ['bridge', '--json', '--listen', 'ws://127.0.0.1:0'];
const folder = mkdtempSync(join(FOLDER, 'bridge-'));

/** Starts a listening bridge. Returns its process and its address. */
async function listening(args: readonly string[]) {
  const child = start(MAIN, [...LISTEN, '--client-token-file', TOKEN_FILE, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const { url } = JSON.parse(await readUntil(child, '"listening"')) as { url: string };
  return { child, url };
}

/** A server that immediately closes each connection with a permanent close code. */
async function served(options: ServerOptions = {}): Promise<string> {
  const { server, url } = await startSocketServer(options);
  server.on('connection', (socket) => socket.close(4090));
  return url;
}

// Lines that parsing and serializing would change.
const ODD = [
  '{"z":1,"type":"never_seen","a":[1.0,1e3,-0,12345678901234567890,0.1000]}',
  '{"type":"user","message":{"content":"\\u00e9\\u2028\\/ é"},"type2":null}',
  '{ "type" : "user" , "n":1,"n":2 }',
].map((text) => `${text}\n`);

describe.concurrent('between stdio and a child', { timeout: 60_000 }, () => {
  test('a host may start the bridge as its agent: its flags go to the command after --, and are ignored without it', async () => {
    const file = join(folder, 'reports.mjs');
    writeFileSync(file, 'console.log(JSON.stringify(process.argv.slice(2)))');
    const endpoint = `exec:"${process.execPath}" "${file}"`;
    const apart = STREAM.flatMap((flag) => flag.split('='));
    for (const flags of [STREAM, [...apart, '--permission-prompt-tool=stdio']]) {
      const after = await run(MAIN, ['bridge', '--', process.execPath, file, ...flags]);
      expect(after).toEqual({ stdout: `${JSON.stringify(flags)}\n`, stderr: '', code: 0 });
      const without = await run(MAIN, ['bridge', '-', endpoint, ...flags]);
      expect(without).toEqual({ stdout: '[]\n', stderr: '', code: 0 });
    }
    // An option that no host passes must be a mistake.
    const wrong = await run(MAIN, ['bridge', '-', endpoint, '--tab', 'wire.jsonl'], '');
    expect(wrong).toMatchObject({ stdout: '', code: 2 });
  });

  test('every byte passes in both directions, and the end of the input ends the bridge', async () => {
    const echo = node('process.stdin.pipe(process.stdout)');
    expect(await run(MAIN, ['bridge', '-', ...echo], ODD.join(''))).toEqual({
      stdout: ODD.join(''),
      stderr: '',
      code: 0,
    });
  });

  test('a session runs as without a bridge, and the tap contains both directions and is private', async () => {
    const file = join(folder, 'tap.jsonl');
    const args = ['bridge', '--tap', file, '-', `exec:"${process.execPath}" "${AGENT}" ${STREAM.join(' ')}`];
    const { stdout, code } = await run(MAIN, args, prompt('/echo hi'));
    expect([code, messagesIn(stdout).at(-1)]).toMatchObject([0, { type: 'result', result: 'hi' }]);
    const [header, ...taps] = messagesIn(readFileSync(file, 'utf8')) as unknown as { dir: string; line?: string }[];
    expect(header).toEqual({ recording: 1, side: 'host', redacted: false });
    expect(taps[0]).toMatchObject({ dir: 'from-host', line: prompt('/echo hi').trim() });
    const said = taps.flatMap(({ dir, line }) => (dir === 'from-agent' && line !== undefined ? [`${line}\n`] : []));
    expect(said.join('')).toBe(stdout);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['its exit code', 'console.error("why"); process.exitCode = 42', 42],
    ['the signal that ended it', 'process.kill(process.pid, "SIGTERM")', 143],
  ])(
    'the stderr output of a child that dies and %s are passed on, and nothing else is written',
    async (_, program, code) => {
      const { stderr, ...rest } = await run(MAIN, ['bridge', ...node(program)]);
      expect(rest).toEqual({ stdout: '', code });
      expect(stderr).toBe(code === 42 ? 'why\n' : '');
    },
  );

  test.each(['SIGINT', 'SIGTERM'] as const)('the child receives %s, and its exit code is passed on', async (signal) => {
    const program = `process.once('${signal}', () => process.exit(7)); console.log('{}'); setInterval(() => {}, 1000)`;
    const child = start(MAIN, ['bridge', ...node(program)]);
    await readUntil(child, '{}');
    child.kill(signal);
    expect(await outcomeOf(child)).toMatchObject({ code: 7, stderr: '' });
  });

  test('the bridge ends quietly when its reader leaves, and so does the child', async () => {
    const child = start(MAIN, ['bridge', ...node('setInterval(() => console.log(process.pid), 5)')]);
    const pid = Number(await readUntil(child, ''));
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, stderr]).toEqual([0, '']);
    // The child's watchdog ends the child a second later.
    await expect.poll(() => lives(pid), { timeout: 20_000 }).toBe(false);
  });

  test('the child does not receive the token', async () => {
    const program =
      'console.log(JSON.stringify(Object.keys(process.env).filter((name) => name.startsWith("SJP_TOKEN"))))';
    const { stdout } = await outcomeOf(start(MAIN, ['bridge', ...node(program)], { SJP_TOKEN: 'secret' }));
    expect(stdout).toBe('[]\n');
  });

  test.each([
    [['bridge'], 2, 'two endpoints'],
    [['bridge', '-', '-'], 2, 'only one side can be'],
    [['bridge', '-', 'ftp://host'], 2, 'Unsupported protocol: ftp:'],
    [['bridge', '--listen', 'ws://0.0.0.0:0', '--', 'true'], 2, 'dangerously-listen-on-network'],
    [['bridge', '--listen', '127.0.0.1', '--', 'true'], 2, 'must be ws://HOST:PORT'],
    [['bridge', '--', 'no-such-agent-anywhere'], 4, 'no-such-agent-anywhere'],
  ])('%j ends with %i', async (args, code, text) => {
    const outcome = await run(MAIN, args);
    expect(outcome).toMatchObject({ stdout: '', code, stderr: expect.stringContaining(text) });
    const asJson = await run(MAIN, [...args.slice(0, 1), '--json', ...args.slice(1)]);
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { message: expect.stringContaining(text) } });
  });
});

describe('between stdio and a WebSocket', { timeout: 60_000 }, () => {
  test('every byte passes, and the end of the input ends both bridges', async () => {
    const { child, url } = await listening(node('process.stdin.pipe(process.stdout)'));
    const near = start(MAIN, ['bridge', '-', url, '--token-file', TOKEN_FILE]);
    // Either bridge may exit first.
    const [outcome, far] = await Promise.all([outcomeOf(near, ODD.join('')), outcomeOf(child)]);
    expect(outcome).toMatchObject({ stdout: ODD.join(''), stderr: '', code: 0 });
    expect(far).toMatchObject({ code: 0 });
  });

  test('the token file is read again for each connection', async () => {
    const file = join(folder, 'mine');
    writeFileSync(file, 'a-token-that-is-old\n');
    const given: unknown[] = [];
    const url = await served({
      verifyClient({ req }: { req: IncomingMessage }, allow: (yes: boolean, status: number) => void) {
        given.push(req.headers.authorization);
        writeFileSync(file, `${TOKEN}\n`);
        allow(given.length > 1, 401);
      },
    });
    await run(MAIN, ['bridge', '-', url, '--token-file', file]);
    expect(given).toEqual(['Bearer a-token-that-is-old', `Bearer ${TOKEN}`]);
  });

  test.each<[string, ServerOptions]>([
    ['chooses no subprotocol', { handleProtocols: () => false }],
    ['accepts the offered one, as `ws` does by default', {}],
  ])('the bridge uses plain lines with a server that knows only those and %s', async (_, options) => {
    const { server, url } = await startSocketServer(options);
    server.on('connection', (socket) => {
      socket.on('message', (frame: Buffer) => {
        socket.send(frame.toString());
        if (frame.toString() === ODD.at(-1)) socket.close(1000);
      });
    });
    const { stdout, code } = await run(MAIN, ['bridge', '-', url], ODD.join(''));
    expect([stdout, code]).toEqual([ODD.join(''), 0]);
  });

  test('a server that waits for the first line before it answers receives that line', async () => {
    const { server, url } = await startSocketServer();
    server.on('connection', (socket) => {
      socket.on('message', (frame: Buffer) => {
        if (frame.toString() !== ODD[0]) return;
        socket.send(ODD[2] as string);
        socket.close(1000);
      });
    });
    const { stdout, code } = await run(MAIN, ['bridge', '-', url], ODD[0]);
    expect([stdout, code]).toEqual([ODD[2], 0]);
  });

  test('a lost link is reported to the host by a result message', async () => {
    const { stdout, stderr, code } = await run(MAIN, ['bridge', '-', await served()]);
    expect(messagesIn(stdout)).toMatchObject([
      {
        type: 'result',
        subtype: 'error_during_execution',
        is_error: true,
        errors: [expect.stringContaining('4090')],
        link_lost: { code: 'rejected', status: 4090 },
      },
    ]);
    expect([code, stderr]).toEqual([4, expect.stringContaining('4090')]);
  });

  test.each(['ws:', 'sse+http:'])(
    'an agent at a %s address that cannot be reached is reported at once with the reason',
    async (scheme) => {
      const began = performance.now();
      const { code, stdout, stderr } = await run(MAIN, ['bridge', '-', `${scheme}//127.0.0.1:${await freePort()}/`]);
      expect([code, stderr]).toEqual([4, expect.stringContaining('nothing listens on this port (ECONNREFUSED)')]);
      expect(messagesIn(stdout)).toMatchObject([{ type: 'result', is_error: true }]);
      expect(performance.now() - began).toBeLessThan(15_000);
    },
  );

  test('a refused token is reported by exit code 3', async () => {
    const { url } = await listening(node('process.stdin.resume()'));
    const outcome = await outcomeOf(start(MAIN, ['bridge', '-', url], { SJP_TOKEN: 'another-token-than-that' }), '');
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('401') });
  });
});
