/** Runs examples/web-chat in real browsers, as people use it: two of them on one session, over links that break, and across a restart of the server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FaultProxy, startFaultProxy } from '@proto/testkit';
import { expect, test, vi } from 'vitest';
import { isSkipped, openPage, type Page } from './chromium.ts';

interface Chat {
  readonly url: string;
  newLink(base?: string): string;
  close(): Promise<void>;
}

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { startChat } = (await import(place('examples/web-chat/server.mjs'))) as {
  startChat(options: object): Promise<Chat>;
};
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The folder for pictures of the page; none are made without it. */
const { SCREENSHOTS } = process.env;
const WITHIN = { timeout: 20_000, interval: 50 };
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

/** A chat behind a proxy that can break its links, in an empty folder. */
class ChatServer implements AsyncDisposable {
  readonly #cwd = mkdtempSync(join(tmpdir(), 'chat-'));
  readonly #proxies: FaultProxy[] = [];
  chat!: Chat;

  async start(port = 0): Promise<this> {
    const agent = [process.execPath, place('packages/cli/dist/agent.js')];
    process.env['SJP_HOME'] = join(this.#cwd, 'home');
    this.chat = await startChat({ agent, cwd: this.#cwd, folder: this.#cwd, port });
    return this;
  }

  async restart(): Promise<void> {
    const { port } = new URL(this.chat.url);
    await this.chat.close();
    await this.start(Number(port));
  }

  /** A browser that is signed in, over its own link. */
  async open(): Promise<{ readonly page: Page; readonly proxy: FaultProxy }> {
    const proxy = await startFaultProxy(this.chat.url);
    this.#proxies.push(proxy);
    const page = await openPage(this.chat.newLink(proxy.url));
    // A new link invalidates the previous one.
    await new Person(page).finds(`document.querySelector('nav')`);
    return { page, proxy };
  }

  async [Symbol.asyncDispose]() {
    for (const proxy of this.#proxies) await proxy.close();
    await this.chat.close();
    rmSync(this.#cwd, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What a person does on the page. */
class Person {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async #until(expression: string): Promise<void> {
    await vi.waitFor(async () => expect(await this.#page.evaluate(`!!(${expression})`), expression).toBe(true), WITHIN);
  }

  sees(text: string): Promise<void> {
    return this.#until(`document.body.innerText.includes(${JSON.stringify(text)})`);
  }

  seesNo(text: string): Promise<void> {
    return this.#until(`!document.body.innerText.includes(${JSON.stringify(text)})`);
  }

  /** Waits until the script is true in the page. */
  finds(expression: string): Promise<void> {
    return this.#until(expression);
  }

  async press(name: string): Promise<void> {
    const button = `Array.from(document.querySelectorAll('button')).find((one) => one.textContent.trim().startsWith(${JSON.stringify(name)}) && !one.disabled)`;
    await this.#until(`${button} && (${button}.click(), true)`);
  }

  async sends(text: string): Promise<void> {
    await this.#until(`document.querySelector('textarea') && (document.querySelector('textarea').focus(), true)`);
    await this.#page.send('Input.insertText', { text });
    await this.press('Send');
  }

  /** How often a text is in the conversation. */
  async counts(text: string): Promise<unknown> {
    return this.#page.evaluate(
      `document.querySelector('[role=log]').innerText.split(${JSON.stringify(text)}).length - 1`,
    );
  }
}

/** Shows the page on a screen of a size, and checks that nothing is cut off at the side and that axe finds no error. */
async function showAs(page: Page, width: number, scheme: 'light' | 'dark', name: string) {
  const size = { width, height: 844, deviceScaleFactor: 1, mobile: width < 500 };
  await page.send('Emulation.setDeviceMetricsOverride', size);
  await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  await page.evaluate(`${axe}; void 0`);
  const violations = await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
  expect(violations).toEqual([]);
  if (SCREENSHOTS === undefined) return;
  const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
  writeFileSync(join(SCREENSHOTS, `chat-${name}-${width}-${scheme}.png`), Buffer.from(String(data), 'base64'));
}

test.skipIf(isSkipped)('people chat with an agent in two browsers', { timeout: 180_000 }, async () => {
  await using server = await new ChatServer().start();
  const { page: first, proxy } = await server.open();
  const { page: second } = await server.open();
  await using _first = first;
  await using _second = second;
  const [alice, bob] = [new Person(first), new Person(second)];

  // The token is in no address, and a link works once.
  await alice.press('New chat');
  await alice.sees('connected');
  expect(await first.evaluate('location.href')).toBe(`${proxy.url}/`);
  const again = await fetch(`${server.chat.url}/sign-in`, { method: 'POST', body: server.chat.newLink() });
  expect(again.status).toBe(403);

  // A text grows while it is written. What an agent sends is text.
  await alice.sends('/slow 1');
  await alice.finds(`document.querySelector('.writing')`);
  await alice.finds(`document.querySelector('.writing') === null`);
  await alice.sends('/echo <img src=x onerror="document.title=1"><b>bold</b>');
  await alice.sees('<b>bold</b>');
  expect(await first.evaluate(`document.querySelector('[role=log] b, [role=log] img')`)).toBeNull();

  // The second browser shows the same session, and answers a question of the first.
  await bob.press(String(await first.evaluate(`document.querySelector('[aria-current=true]').textContent`)));
  await bob.sees('<b>bold</b>');
  await alice.sends('/bash echo approved');
  await bob.sees('May the agent use Bash?');
  await alice.sees('May the agent use Bash?');
  for (const width of [390, 1280])
    for (const scheme of ['light', 'dark'] as const) await showAs(first, width, scheme, 'question');
  await bob.press('Allow');
  await alice.seesNo('May the agent use Bash?');
  await alice.finds(`document.querySelector('.call').textContent.includes('approved')`);

  // A question with choices, and an interrupt.
  await bob.sends('/ask Which one?|red|blue');
  await alice.finds(`document.querySelector('select') && (document.querySelector('select').value = 'blue')`);
  await alice.press('Answer');
  await bob.finds(`document.querySelector('[role=log]').innerText.includes('is "blue"')`);
  await alice.sends('/slow 60');
  await alice.sends('/echo queued');
  await alice.press('Stop');
  await bob.sees('The turn ended: interrupted.');

  // An image.
  await first.evaluate(`(async () => {
    const input = document.querySelector('input[type=file]');
    const files = new DataTransfer();
    const bytes = Uint8Array.from(atob('${DOT}'), (one) => one.charCodeAt(0));
    files.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
    input.files = files.files;
  })()`);
  await alice.sends('look');
  await bob.finds(`document.querySelector('.prompt img')?.naturalWidth === 1`);
});

test.skipIf(isSkipped)(
  'nothing is lost or doubled by a cut, a reload and a restart',
  { timeout: 180_000 },
  async () => {
    await using server = await new ChatServer().start();
    const { page, proxy } = await server.open();
    await using _ = page;
    const alice = new Person(page);
    await alice.press('New chat');

    // A cut in the middle of a turn.
    await alice.sends('/slow 2\n/echo after the cut');
    await alice.finds(`document.querySelector('.writing')`);
    proxy.misbehave({ refuses: true });
    proxy.cut('rst');
    await alice.sees('reconnecting');
    proxy.misbehave({});
    await alice.sees('connected');
    await alice.finds(`document.querySelector('[role=log]').innerText.trimEnd().endsWith('after the cut')`);

    // A reload in the middle of a turn, while a question waits.
    await alice.sends('/bash echo reloaded');
    await alice.sees('May the agent use Bash?');
    await page.send('Page.reload');
    await alice.sees('May the agent use Bash?');
    await alice.press('Allow');
    await alice.finds(`document.querySelector('.call').textContent.includes('done')`);

    // A restart of the server. Its port and its folder stay the same.
    await server.restart();
    await alice.sees('connected');
    await alice.sends('/echo after the restart');
    await alice.finds(`document.querySelector('[role=log]').innerText.trimEnd().endsWith('after the restart')`);
    for (const [text, times] of [
      ['/slow 2', 1],
      ['/bash echo reloaded', 1],
      ['/echo after the restart', 1],
    ] as const)
      expect(await alice.counts(text), text).toBe(times);
    expect(await alice.counts('after the cut')).toBe(2);
  },
);
