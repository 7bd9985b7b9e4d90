/** Tests of clients of `sjp bridge --listen`. The bridge runs from source, in this process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseRecording } from '@proto/recording';
import { encodeBatch, flattenIncoming, type Transport } from '@proto/core/transport';
import {
  createWebSocketClientTransport,
  type WebSocketClientOptions,
  type SocketLike,
} from '@proto/transport-websocket';
import { openSocket } from '@proto/transport-websocket/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { brokenProgram, FOLDER, lives, messagesIn, TOKEN, TOKEN_FILE } from '../bins.test-support.ts';
import { InnerProcess } from '../inner-process.test-support.ts';
import { runBridgeCommand } from '../bridge/run-bridge-command.ts';

const node = (program: string) => [process.execPath, '--eval', program];
const said = () => node(`process.stdin.on('data', () => console.log('{"pid":' + process.pid + '}'))`);

/** Starts a listening bridge. Returns its address, its further stdout lines, its exit code and a source of signals. */
async function listening(program: readonly string[], { multi = true, tap }: { multi?: boolean; tap?: string } = {}) {
  const here = new InnerProcess();
  const flags = {
    json: true,
    listen: 'ws://127.0.0.1:0',
    multi,
    clientTokenFile: TOKEN_FILE,
    ...(tap !== undefined && { tap }),
  };
  const code = runBridgeCommand([], program, flags, here);
  onTestFinished(async () => {
    for (let times = 0; times < 3; times++) here.emit('SIGINT');
    await code;
  });
  const written: string[] = [];
  const lines = createInterface(here.stdout);
  const url = new Promise<string>((resolve) => {
    lines.once('line', (line) => resolve((JSON.parse(line) as { url: string }).url));
  });
  lines.on('line', (line) => written.push(line));
  return { url: await url, code, written, signals: here };
}

function client(url: string, options: Partial<WebSocketClientOptions> = {}): Transport {
  const transport = createWebSocketClientTransport({
    url,
    credential: TOKEN,
    open: openSocket,
    connectDeadlineMs: 1,
    ...options,
  });
  onTestFinished(() => transport.abort());
  return transport;
}

async function allOf({ incoming }: Transport): Promise<readonly (string | undefined)[]> {
  const texts: (string | undefined)[] = [];
  for await (const item of flattenIncoming(incoming)) texts.push(item.kind === 'message' ? item.text : undefined);
  return texts;
}

describe('a listening bridge', { timeout: 60_000 }, () => {
  test.each([
    ['without a token', {}, 401],
    ['with another token', { Authorization: 'Bearer something-else-of-16' }, 401],
    ['from a web page', { Authorization: `Bearer ${TOKEN}`, Origin: 'http://evil.example' }, 403],
    ['under another host name', { Authorization: `Bearer ${TOKEN}`, Host: 'evil.example' }, 403],
  ])('refuses a client %s', async (_, headers, status) => {
    const { url } = await listening(said());
    const transport = client(url, { headers, credential: undefined });
    expect((await transport.closed).error).toMatchObject({ status });
    expect((await fetch(`${url.replace('ws:', 'http:')}/healthz`)).status).toBe(200);
  });

  test('starts an agent for each client, also for a client that cannot resume', async () => {
    const { url } = await listening(said());
    const clients = [client(url), client(url), client(url, { protocols: [] })];
    const pids = await Promise.all(
      clients.map(async (one) => {
        await one.send(encodeBatch({ type: 'hello' }));
        return (await flattenIncoming(one.incoming).next()).value;
      }),
    );
    expect(new Set(pids.map((item) => item?.kind === 'message' && item.text)).size).toBe(3);
  });

  test('reconnects a client to its agent after a cut, and no message is lost', async () => {
    const { url } = await listening(said());
    const sockets: SocketLike[] = [];
    const open: WebSocketClientOptions['open'] = (request) => {
      sockets.push(openSocket(request));
      return sockets.at(-1) as SocketLike;
    };
    const transport = client(url, { open, baseMs: 5 });
    const items = flattenIncoming(transport.incoming);
    const pids = new Set<string>();
    const links: unknown[] = [];
    for (let n = 1; n <= 3; n++) {
      await transport.send(encodeBatch({ type: 'hello' }));
      for (;;) {
        const { value } = await items.next();
        if (value?.kind === 'link') links.push([value.state, value.resumed]);
        if (value?.kind !== 'message') continue;
        pids.add(value.text);
        break;
      }
      if (n === 2) sockets.at(-1)?.terminate?.();
    }
    expect(pids.size).toBe(1);
    expect(links).toEqual([
      ['down', undefined],
      ['up', true],
    ]);
  });

  test('without --multi takes one client; when the client leaves, its agent and the bridge end', async () => {
    const program = node('process.stdin.on("end", () => process.exit(9)).resume(); console.log("{}")');
    const { url, code, written } = await listening(program, { multi: false });
    const first = client(url);
    await flattenIncoming(first.incoming).next();
    const second = client(url, { protocols: [] });
    expect((await second.closed).error).toMatchObject({ status: 503 });
    await first.close();
    expect(await code).toBe(9);
    expect(messagesIn(written.slice(1).join('\n'))).toEqual([
      { type: 'session_started', session: 1 },
      { type: 'session_ended', session: 1, code: 9 },
      { type: 'result', code: 9 },
    ]);
  });

  test('reports the death of an agent to its client as messages, and other clients continue', async () => {
    const dies = 'process.stdin.once("data", () => { console.error("out of order"); process.exit(3) })';
    const { url } = await listening(node(dies));
    const [one, other] = [client(url), client(url)];
    await Promise.all([one.opened, other.opened]);
    await one.send(encodeBatch({ type: 'user' }));
    const [exited, last] = (await allOf(one)).map((text) => JSON.parse(text ?? '') as unknown);
    expect(exited).toMatchObject({
      type: 'system',
      subtype: 'agent_exited',
      code: 3,
      signal: null,
      stderr: 'out of order\n',
      restarting: false,
    });
    expect(last).toMatchObject({
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      errors: [expect.stringContaining('code 3')],
    });
    expect(await one.closed).toMatchObject({ by: 'peer' });
    await other.send(encodeBatch({ type: 'user' }));
    expect(await allOf(other)).toHaveLength(2);
  });

  test('records each client in a separate file, which is a valid recording', async () => {
    const { url, code, signals } = await listening(said(), { tap: join(FOLDER, 'wire.jsonl') });
    for (const type of ['one', 'two']) {
      const transport = client(url);
      await transport.send(encodeBatch({ type }));
      await flattenIncoming(transport.incoming).next();
    }
    signals.emit('SIGTERM');
    await code;
    const tapped = [1, 2].map((number) => parseRecording(readFileSync(join(FOLDER, `wire.${number}.jsonl`), 'utf8')));
    expect(tapped.map(({ entries }) => entries[0])).toMatchObject([
      { dir: 'from-host', line: '{"type":"one"}' },
      { dir: 'from-host', line: '{"type":"two"}' },
    ]);
  });

  test('reports an agent that cannot be started to the client as messages', async () => {
    const { url } = await listening([brokenProgram()]);
    const [last] = await allOf(client(url));
    expect(JSON.parse(last ?? '')).toMatchObject({
      type: 'result',
      errors: [expect.stringContaining('cannot be started')],
    });
  });

  test('ends the agents and then itself on SIGTERM', async () => {
    const { url, code, signals } = await listening(said());
    const one = client(url);
    await one.send(encodeBatch({ type: 'hello' }));
    const { value } = await flattenIncoming(one.incoming).next();
    const pid = Number(/\d+/.exec(value?.kind === 'message' ? value.text : '')?.[0]);
    signals.emit('SIGTERM');
    expect(await code).toBe(143);
    expect(lives(pid)).toBe(false);
  });
});
