/** Live sessions in the page: over each transport, with answers by hand. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSkipped } from '../runtimes/chromium.ts';
import {
  AGENT,
  createFolder,
  firstEvent,
  inspect,
  type Inspecting,
  InspectorPage,
  runSjp,
} from './inspector-page.test-support.ts';
import { UNUSABLE } from './usable-buttons.test-support.ts';

/** An agent that asks for permission before it works, and repeats the answer in its result. */
const ASKING = `import { createInterface } from 'node:readline';
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { type, id, message, response, request_id, request } = JSON.parse(line);
  if (type === 'user') say({ type: 'control_request', request_id: 'ask-' + (id ?? 1), request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: message.content }, tool_use_id: 't1' } });
  if (type === 'control_response') say({ type: 'result', subtype: 'success', result: JSON.stringify(response.response) });
  if (type === 'control_request') say({ type: 'control_response', response: { subtype: 'success', request_id, response: { did: request.subtype } } });
});
process.stdin.on('end', () => process.exit(3));
`;

/** What the host at the other end of a bridge reads. */
function hostOf({ child }: Inspecting) {
  const lines: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
    lines.push(JSON.parse(line) as Record<string, unknown>),
  );
  const say = (message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`);
  return { lines, say };
}

describe.skipIf(isSkipped)('a live session in the page', { timeout: 120_000 }, () => {
  let page: InspectorPage;
  beforeAll(async () => {
    page = await InspectorPage.open('about:blank');
  }, 120_000);
  afterAll(() => page[Symbol.asyncDispose]());

  async function bridging(run: (host: ReturnType<typeof hostOf>, command: Inspecting) => Promise<void>): Promise<void> {
    using folder = createFolder();
    const agent = folder.write('agent.mjs', ASKING);
    await using command = await inspect(['--', process.execPath, agent], folder.path);
    const host = hostOf(command);
    await page.goto(command.link);
    await page.sees('.mark', 'live');
    await run(host, command);
  }
  const ask = (content: string) => ({ type: 'user', message: { role: 'user', content } });
  const resultOf = ({ lines }: ReturnType<typeof hostOf>) => lines.find(({ type }) => type === 'result')?.['result'];

  test('a permission is allowed by hand: the agent gets the answer, and the request is withdrawn from the host', () =>
    bridging(async (host) => {
      host.say(ask('ls'));
      await page.sees('.waiting .card', 'Bash');
      await page.click('.waiting .primary', 'Allow');
      await expect
        .poll(() => resultOf(host), { timeout: 20_000 })
        .toBe('{"behavior":"allow","updatedInput":{"command":"ls"}}');
      expect(host.lines.map(({ type, request_id: id }) => [type, id])).toEqual([
        ['control_request', 'ask-1'],
        ['control_cancel_request', 'ask-1'],
        ['result', undefined],
      ]);
      await page.until(`document.querySelector('.waiting') === null`);
      await page.sees('.frame', 'control_response/success');
    }));

  test('a session that is connected says that it has no frames yet', () =>
    bridging(() => page.sees('.empty', 'No frames yet')));

  test('a second click within 500 ms does not answer the next permission question', () =>
    bridging(async (host) => {
      for (const id of ['one', 'two']) host.say({ ...ask(id), id });
      await page.until(`document.querySelectorAll('.waiting .card').length === 2`);
      // Clicks as soon as the first question is gone, and measures for how long the next question ignores clicks.
      await page.page.evaluate(`(() => {
        let leftAt;
        new MutationObserver(() => {
          const [card, ...more] = document.querySelectorAll('.waiting .card');
          if (card?.dataset.request !== 'ask-two' || more.length > 0) return;
          leftAt ??= performance.now();
          const button = card.querySelector('.primary');
          button.click();
          if (!button.disabled) window.tookMs ??= performance.now() - leftAt;
        }).observe(document.body, { childList: true, subtree: true, attributes: true });
      })()`);
      await page.click('.waiting .card[data-request=ask-one] .primary');
      expect(await page.until('window.tookMs')).toBeGreaterThan(450);
    }));

  test('a permission is denied by hand, with a message', () =>
    bridging(async (host) => {
      host.say(ask('rm -r /'));
      await page.fill('[aria-label="Denial message"]', 'Not that folder.');
      await page.click('.waiting .danger', 'Deny');
      await expect
        .poll(() => resultOf(host), { timeout: 20_000 })
        .toBe('{"behavior":"deny","message":"Not that folder."}');
    }));

  test('a permission is allowed with a changed input', () =>
    bridging(async (host) => {
      host.say(ask('npm publish'));
      await page.fill('.waiting textarea', '{"command": "npm publish --dry-run"');
      await page.sees('.card .trouble', 'not a JSON object yet');
      await page.fill('.waiting textarea', '{"command": "npm publish --dry-run"}');
      await page.click('.waiting .primary', 'Allow with this input');
      await expect
        .poll(() => resultOf(host), { timeout: 20_000 })
        .toBe('{"behavior":"allow","updatedInput":{"command":"npm publish --dry-run"}}');
    }));

  test('a prompt is sent by hand, and so is an interrupt, whose answer the host never sees', () =>
    bridging(async (host) => {
      await page.fill('#prompt', 'from the page');
      await page.click('.controls .primary', 'Send');
      await page.sees('.waiting textarea', 'from the page');
      await page.click('.controls button', 'Interrupt');
      await page.fill('#filter', 'text:inspector- type:control_response');
      await page.sees('.frame', '{"did":"interrupt"}');
      expect(host.lines.map(({ type }) => type)).toEqual(['control_request']);
    }));

  test('a direction is held, and what waited passes when it is released', () =>
    bridging(async (host) => {
      await page.click('[data-hold=from-host]');
      await page.sees('[data-hold=from-host]', 'Release');
      host.say(ask('held'));
      await page.click('[data-hold=from-agent]');
      await page.sees('[data-hold=from-agent]', 'Release');
      expect(await page.page.evaluate(`document.querySelector('.waiting')`)).toBeNull();
      await page.click('[data-hold=from-host]');
      await page.fill('#filter', 'type:control_request');
      // The agent has answered, and the host has not received the answer.
      await page.sees('.frame', 'can_use_tool');
      expect(host.lines).toEqual([]);
      await page.click('[data-hold=from-agent]');
      await expect.poll(() => host.lines.length, { timeout: 20_000 }).toBe(1);
    }));

  test('two browsers look at one session, and the answer of one is seen by the other', () =>
    bridging(async (host) => {
      await page.page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
      await page.click('.top button', 'Copy link');
      await using other = await InspectorPage.open(String(await page.until('window.copied')));
      host.say(ask('both'));
      await page.sees('.waiting .card', 'Bash');
      await other.sees('.waiting .card', 'Bash');
      await other.click('.waiting .primary', 'Allow');
      await page.until(`document.querySelector('.waiting') === null`);
      await page.sees('.frame', 'result/success');
      await other.sees('.frame', 'result/success');
      expect(host.lines.filter(({ type }) => type === 'result')).toHaveLength(1);
    }));

  test('stdout has the wire alone, byte for byte, and the command ends with the code of the agent', () =>
    bridging(async (host, command) => {
      const line = '{"type":"control_request",  "request_id":"\\u0061","request":{"subtype":"x"}}';
      command.child.stdin?.write(`${line}\n`);
      await expect.poll(() => host.lines.length, { timeout: 20_000 }).toBe(1);
      expect(command.stdout()).toBe(
        '{"type":"control_response","response":{"subtype":"success","request_id":"a","response":{"did":"x"}}}\n',
      );
      await page.fill('#filter', 'dir:host');
      await page.click('.frame', 'control_request/x');
      await page.click('[role=tab]', 'Raw');
      await page.sees('.raw', line);
      const exited = once(command.child, 'exit');
      command.child.stdin?.end();
      expect((await exited)[0]).toBe(3);
      await page.sees('.mark', 'no connection to the command');
    }));

  test('a bridge over a WebSocket is inspected', async () => {
    using folder = createFolder();
    const agent = folder.write('agent.mjs', ASKING);
    const far = runSjp(
      ['bridge', '--listen', 'ws://127.0.0.1:0', '--dangerously-no-auth', '--json', '--', process.execPath, agent],
      folder.path,
    );
    try {
      const { url } = await firstEvent(far, 'listening', once(far, 'exit'), 'stdout');
      await using command = await inspect(['-', String(url)], folder.path);
      const host = hostOf(command);
      await page.goto(command.link);
      await page.sees('.mark', 'live');
      host.say(ask('over a socket'));
      await page.click('.waiting .primary', 'Allow');
      await expect.poll(() => resultOf(host), { timeout: 20_000 }).toContain('over a socket');
    } finally {
      far.kill();
    }
  });

  /** A server of sessions with a page, accounts of two roles, and one session. */
  async function serving(
    args: readonly string[],
    run: (server: { base: string; page: string; session: string; folder: string }) => Promise<void>,
  ): Promise<void> {
    using folder = createFolder();
    const accounts = {
      accounts: [
        { name: 'driver', role: 'driver', token: 'driver-token-1234567890' },
        { name: 'reader', role: 'viewer', token: 'viewer-token-1234567890' },
      ],
    };
    folder.write('accounts.json', JSON.stringify(accounts));
    folder.write('driver', 'driver-token-1234567890');
    folder.write('viewer', 'viewer-token-1234567890');
    const server = runSjp(
      ['serve', '--listen', '127.0.0.1:0', '--store', 'memory', '--json', ...args, '--', process.execPath, AGENT],
      folder.path,
    );
    try {
      const { base, page: link, token } = await firstEvent(server, 'listening', once(server, 'exit'), 'stdout');
      const authorization = `Bearer ${typeof token === 'string' ? token : 'driver-token-1234567890'}`;
      const made = await fetch(`${String(base)}/v1/code/sessions`, {
        method: 'POST',
        headers: { authorization },
        body: '{"title":"mend it"}',
      });
      const { session } = (await made.json()) as { session: { id: string } };
      const prompt = {
        type: 'user',
        uuid: crypto.randomUUID(),
        session_id: '',
        parent_tool_use_id: null,
        message: { role: 'user', content: 'hello from a client' },
      };
      const sent = await fetch(`${String(base)}/v1/code/sessions/${session.id}/events`, {
        method: 'POST',
        headers: { authorization },
        body: JSON.stringify({ events: [{ payload: prompt }] }),
      });
      expect(sent.status).toBe(200);
      await run({ base: String(base), page: String(link), session: session.id, folder: folder.path });
    } finally {
      server.kill('SIGKILL');
    }
  }

  test('a session of a server is inspected with the rights of the account: a driver sends a prompt', () =>
    serving(['--token-file', 'accounts.json'], async ({ base, session, folder }) => {
      await using command = await inspect([base, '--session', session, '--token-file', 'driver'], folder);
      await page.goto(command.link);
      await page.sees('.frame', 'hello from a client');
      await page.sees('.frame.of-agent', 'result/success');
      await page.fill('#prompt', 'and one from the page');
      await page.click('.controls .primary', 'Send');
      await page.sees('.frame.of-host', 'and one from the page');
    }));

  test('a viewer reads, and is refused what a viewer may not do', () =>
    serving(['--token-file', 'accounts.json'], async ({ base, session, folder }) => {
      await using command = await inspect([base, '--session', session, '--token-file', 'viewer'], folder);
      await page.goto(command.link);
      await page.sees('.frame', 'hello from a client');
      await page.fill('#prompt', 'not allowed');
      await page.click('.controls .primary', 'Send');
      await page.sees('.notice', 'a viewer may not send messages');
    }));

  test('sjp serve --ui serves the page at its address, with the rights of the account of the server', () =>
    serving(['--ui'], async ({ page: link }) => {
      await page.goto(link);
      await page.sees('.frame', 'hello from a client');
      await page.fill('#prompt', 'from the page of the server');
      await page.click('.controls .primary', 'Send');
      await page.sees('.frame.of-host', 'from the page of the server');
    }));

  test('the list of sessions has the first prompt and the state of each, also in a window of 360 px', () =>
    serving(['--token-file', 'accounts.json'], async ({ base, folder }) => {
      const headers = { authorization: 'Bearer driver-token-1234567890' };
      await fetch(`${base}/v1/code/sessions`, { method: 'POST', headers, body: '{"title":"not begun"}' });
      await using command = await inspect([base, '--token-file', 'driver'], folder);
      await page.goto(command.link);
      await page.sees('.sessions button', 'hello from a client');
      expect(await page.page.evaluate(`document.querySelectorAll('.sessions button .mark').length`)).toBe(2);
      const size = { width: 360, height: 760, deviceScaleFactor: 1, mobile: false };
      await page.page.send('Emulation.setDeviceMetricsOverride', size);
      expect(await page.page.evaluate(UNUSABLE)).toEqual([]);
      await page.page.send('Emulation.setDeviceMetricsOverride', { ...size, width: 1440, height: 900 });
    }));

  test('if accounts have tokens, visitors sign in, and a viewer only reads', () =>
    serving(['--ui', '--token-file', 'accounts.json'], async ({ page: link, base, session }) => {
      await page.goto(link);
      await page.sees('.entrance', 'sign in with a token');
      await page.fill('#token', 'a wrong token');
      await page.click('.entrance .primary', 'Sign in');
      await page.sees('.entrance', 'does not accept this token');
      await page.fill('#token', 'viewer-token-1234567890');
      await page.click('.entrance .primary', 'Sign in');
      await page.sees('.frame', 'hello from a client');
      await page.sees('.mark', 'read only');
      expect(await page.page.evaluate(`document.querySelector('#prompt')`)).toBeNull();
      const status = await page.page.evaluate(
        `fetch('/ui/sessions/${session}/actions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ action: 'send', message: { type: 'user' } }) }).then(({ status }) => status)`,
      );
      expect(status).toBe(409);
      expect((await fetch(`${base}/ui/sessions`)).status).toBe(401);
    }));

  test('a target that cannot be inspected is reported at once, with its exit code', async () => {
    using folder = createFolder();
    for (const [args, code, text] of [
      [['missing.jsonl'], 2, 'cannot read missing.jsonl: no such file or directory'],
      [[], 2, 'give a recording'],
      [['--port', 'x', 'f'], 2, '--port must be a number'],
      [['--', 'no-such-agent-here'], 4, 'no-such-agent-here'],
      [['http://127.0.0.1:9'], 4, 'cannot be reached'],
    ] as const) {
      const child = runSjp(['inspect', ...args], folder.path);
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      expect((await once(child, 'close'))[0], said).toBe(code);
      expect(said).toContain(text);
    }
  });
});
