/** The page of `sjp inspect` in a real browser, and the command that serves it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPage, type Page } from '../runtimes/chromium.ts';

export const BIN = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
export const AGENT = fileURLToPath(new URL('../../packages/cli/dist/agent.js', import.meta.url));
const PATIENCE_MS = 45_000;

/** The command `sjp inspect` while it runs. */
export interface Inspecting extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  readonly link: string;
  /** What the command has written to stdout so far. */
  readonly stdout: () => string;
  /** Ends the command, and fulfils with its exit code. */
  stop(): Promise<number | null>;
}

/** A folder for a test, which is also the home folder of its programs. */
export function createFolder(): { readonly path: string; write(name: string, text: string): string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'inspect-'));
  return {
    path,
    write(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Runs `sjp` with arguments. */
export function runSjp(
  args: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { ...process.env, SJP_HOME: join(folder, 'home'), ...env },
  });
}

/** Starts `sjp inspect`. Fulfils when the page can be opened. */
export async function inspect(args: readonly string[], folder: string): Promise<Inspecting> {
  const dashes = args.indexOf('--');
  const own = dashes === -1 ? args : args.slice(0, dashes);
  const child = runSjp(
    ['inspect', ...own, '--port', '0', '--json', ...(dashes === -1 ? [] : args.slice(dashes))],
    folder,
  );
  let stdout = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const { url, link } = await firstEvent(child, 'listening', exited);
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    return exited;
  };
  return {
    child,
    url: String(url),
    link: String(link),
    stdout: () => stdout,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** Waits for a line of JSON with that type, on stderr or stdout. */
export async function firstEvent(
  child: ChildProcess,
  type: string,
  exited: Promise<unknown>,
  from: 'stdout' | 'stderr' = 'stderr',
): Promise<Readonly<Record<string, unknown>>> {
  const said: string[] = [];
  const found = (async () => {
    for await (const line of createInterface({ input: child[from] as NodeJS.ReadableStream })) {
      said.push(line);
      const event: unknown = line.startsWith('{') ? JSON.parse(line) : undefined;
      if (Object(event).type === type) return event as Readonly<Record<string, unknown>>;
    }
    throw new Error(`no event ${type}: ${said.join('\n')}`);
  })();
  return Promise.race([found, exited.then(async () => found)]);
}

/** The page in a browser. */
export class InspectorPage implements AsyncDisposable {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  static async open(link: string): Promise<InspectorPage> {
    const opened = new InspectorPage(await openPage(link));
    await opened.page.send('Emulation.setDeviceMetricsOverride', {
      width: 1440,
      height: 900,
      deviceScaleFactor: 1,
      mobile: false,
    });
    return opened;
  }

  /** Shows another address, and discards the state of the old page. */
  async goto(link: string): Promise<void> {
    // The browser does not reload a page if only the fragment of the address changes.
    await this.page.send('Page.navigate', { url: 'about:blank' });
    await this.page.send('Page.navigate', { url: link });
  }

  /** Waits until an expression holds in the page, and returns its value. */
  async until(expression: string, patienceMs = PATIENCE_MS): Promise<unknown> {
    for (const end = performance.now() + patienceMs; ; ) {
      const value = await this.page.evaluate(expression).catch(() => undefined);
      if (value !== undefined && value !== null && value !== false && value !== '') return value;
      if (performance.now() > end)
        throw new Error(
          `never true: ${expression}\n${String(await this.page.evaluate('document.body.innerText.slice(0, 1500)'))}`,
        );
      await sleep(20);
    }
  }

  /** Waits until an element matches the selector and, if a text is given, contains the text. */
  async sees(selector: string, text = ''): Promise<void> {
    await this.until(`${find(selector, text)} !== undefined`);
  }

  /**
   * Waits until an element matches, and runs statements with it. Both happen in one evaluation: the page may remove
   * an element between two.
   */
  private async once(selector: string, text: string, statements: string): Promise<void> {
    await this.until(
      `(() => { const element = ${find(selector, text)}; if (element === undefined) return false; ${statements} return true; })()`,
    );
  }

  async click(selector: string, text = ''): Promise<void> {
    await this.once(selector, text, 'if (element.disabled === true) return false; element.click();');
  }

  /** Replaces the text of a field. */
  async fill(selector: string, text: string): Promise<void> {
    await this.once(selector, '', 'element.focus(); element.select();');
    if (text === '') await this.key('Delete');
    else await this.page.send('Input.insertText', { text });
  }

  /** Presses and releases a key. */
  async key(key: string): Promise<void> {
    const codes: Readonly<Record<string, number>> = {
      Delete: 46,
      Escape: 27,
      Enter: 13,
      Home: 36,
      End: 35,
      ArrowDown: 40,
      ArrowUp: 38,
      PageDown: 34,
      Tab: 9,
    };
    const text = key.length === 1 ? key : undefined;
    const down = {
      type: text === undefined ? 'rawKeyDown' : 'keyDown',
      key,
      ...(text !== undefined && { text }),
      windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0),
    };
    await this.page.send('Input.dispatchKeyEvent', down);
    await this.page.send('Input.dispatchKeyEvent', { ...down, type: 'keyUp' });
  }

  async text(selector: string): Promise<string> {
    return String(await this.page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`));
  }

  /** The texts of the rows that are in the page. */
  async rows(): Promise<readonly string[]> {
    return (await this.page.evaluate(
      `[...document.querySelectorAll('.frame')].map((row) => row.innerText.replaceAll('\\n', ' '))`,
    )) as readonly string[];
  }

  /** Chooses a file, as a visitor does with the button. */
  async chooseFile(file: string): Promise<void> {
    await this.sees('#file');
    const { root } = Object(await this.page.send('DOM.getDocument'));
    const { nodeId } = await this.page.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' });
    await this.page.send('DOM.setFileInputFiles', { files: [file], nodeId });
  }

  /** Returns a picture of the page as WebP, which has a third of the size of PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.page.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
    return Buffer.from(String(data), 'base64');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.page[Symbol.asyncDispose]();
  }
}

function find(selector: string, text = ''): string {
  const all = `[...document.querySelectorAll(${JSON.stringify(selector)})]`;
  return `${all}.find((element) => element.innerText.includes(${JSON.stringify(text)}) || (element.value ?? '').includes?.(${JSON.stringify(text)}))`;
}
