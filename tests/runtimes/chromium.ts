/** A headless Chromium that opens one page of a server on this machine. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

const { CI, NO_BROWSER, CHROMIUM } = process.env;
const names = CHROMIUM === undefined ? ['chromium', 'chromium-browser', 'google-chrome'] : [CHROMIUM];

/** The command of the browser; undefined without one. */
export const chromium =
  NO_BROWSER === '1' ? undefined : names.find((name) => spawnSync(name, ['--version']).status === 0);

/** Whether tests in a page are skipped. A browser is optional on the machine of a user, and required in CI. */
export const isSkipped = chromium === undefined && (NO_BROWSER === '1' || CI === undefined);
if (isSkipped)
  console.log(
    'no Chromium: the tests in a page are skipped (CHROMIUM names one, NO_BROWSER=1 says that there is none)',
  );

/** A page, and the browser that shows it. */
export interface Page extends AsyncDisposable {
  /** Settles with the last words of the browser when it has left. */
  readonly ended: Promise<string>;
  /** Sends a command of the debugging protocol to the page. */
  send(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Runs an expression in the page, and returns its value as JSON. Waits for a promise. */
  evaluate(expression: string): Promise<unknown>;
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // Without this flag the browser prints the page and exits.
  '--remote-debugging-pipe',
];

/** Opens a page in a new browser that cannot reach other machines. Fulfils when the browser has begun to show the page. */
export async function openPage(url: string): Promise<Page> {
  if (chromium === undefined) throw new Error('no Chromium: NO_BROWSER=1 to do without');
  const profile = mkdtempSync(join(tmpdir(), 'page-'));
  // The browser gets its own process group, so that its children end with it. The pipes are those of its debugging protocol.
  const browser = spawn(chromium, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  let said = '';
  browser.stderr?.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2000)));
  const exited = once(browser, 'exit');
  const ended = exited.then(() => said);
  const pipe = new DebuggingPipe(browser, ended);
  const attached = attachToPage(pipe);
  const send = async (method: string, params: object = {}) => pipe.send(method, params, await attached);
  const page: Page = {
    ended,
    send,
    async evaluate(expression) {
      const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      const { result, exceptionDetails } = Object(answer);
      if (exceptionDetails !== undefined)
        throw new Error(JSON.stringify(exceptionDetails.exception ?? exceptionDetails));
      return result.value;
    },
    async [Symbol.asyncDispose]() {
      if (browser.exitCode === null && browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  // Settles when the browser shows the page, so that the next command does not find another page.
  await send('Page.navigate', { url }).catch(async (error: unknown) => {
    await page[Symbol.asyncDispose]();
    throw error;
  });
  return page;
}

/** Attaches to the page with which the browser begins. Returns the id of this session of the debugging protocol. */
async function attachToPage(pipe: DebuggingPipe): Promise<string> {
  for (;;) {
    const { targetInfos } = Object(await pipe.send('Target.getTargets', {}));
    const page = targetInfos.find(({ type }: { readonly type: string }) => type === 'page');
    if (page === undefined) continue;
    const { sessionId } = await pipe.send('Target.attachToTarget', { targetId: page.targetId, flatten: true });
    return String(sessionId);
  }
}

/** The debugging protocol of the browser: JSON texts that end with a NUL, on the descriptors 3 and 4. */
class DebuggingPipe {
  readonly #output: Writable;
  readonly #waiting = new Map<number, PromiseWithResolvers>();
  readonly #ended: Promise<string>;
  #last = 0;
  #rest = '';

  constructor({ stdio }: ChildProcess, ended: Promise<string>) {
    this.#output = stdio[3] as Writable;
    this.#output.on('error', () => {});
    this.#ended = ended;
    (stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const texts = (this.#rest + text).split('\0');
      this.#rest = texts.pop() ?? '';
      for (const one of texts) this.#take(JSON.parse(one));
    });
  }

  async send(method: string, params: object, sessionId?: string): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.#last;
    const answer = new Promise<Readonly<Record<string, unknown>>>((resolve, reject) =>
      this.#waiting.set(id, { resolve, reject }),
    );
    this.#output.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}\0`);
    const left = this.#ended.then((said) => Promise.reject(new Error(`the browser has left: ${said}`)));
    return Promise.race([answer, left]);
  }

  #take({ id, result, error }: { readonly id?: number; readonly result?: object; readonly error?: object }): void {
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve({ ...result });
    else waiting?.reject(new Error(JSON.stringify(error)));
  }
}

interface PromiseWithResolvers {
  readonly resolve: (value: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}
