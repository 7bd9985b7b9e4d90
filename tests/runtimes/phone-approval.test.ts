/** Runs examples/phone-approval as a person does: starts its program, opens its link in a browser of the size of a phone, and answers what the agent asks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startFaultProxy } from '@proto/testkit';
import { expect, test, vi } from 'vitest';
import { isSkipped, openPage, type Page } from './chromium.ts';

const example = fileURLToPath(new URL('../../examples/phone-approval/serve.mjs', import.meta.url));
/** The folder for pictures of the page; none are made without it. */
const { SCREENSHOTS } = process.env;
const WITHIN = { timeout: 20_000, interval: 50 };

/** Starts the program of the example in an empty folder. */
async function startExample() {
  const cwd = mkdtempSync(join(tmpdir(), 'phone-'));
  const program = spawn(process.execPath, [example, '--cwd', cwd], {
    env: { ...process.env, SJP_HOME: join(cwd, 'home') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: program.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const link = new URL(line.slice(line.indexOf('http')));
  return {
    cwd,
    link,
    prompt: (text: string) => void program.stdin.write(`${text}\n`),
    async [Symbol.asyncDispose]() {
      const exited = once(program, 'exit');
      program.stdin.end();
      await exited;
      rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What a person does on the page. */
function personAt(page: Page) {
  const inCard = (text: string) =>
    `Array.from(document.querySelectorAll('.prompt')).find((card) => card.textContent.includes(${JSON.stringify(text)}))`;
  return {
    sees: (text: string) =>
      vi.waitFor(async () => expect(await page.evaluate('document.body.innerText')).toContain(text), WITHIN),
    /** Waits for the card that has this text. */
    seesCard: (text: string) =>
      vi.waitFor(async () => expect(await page.evaluate(`${inCard(text)} !== undefined`)).toBe(true), WITHIN),
    seesNoCard: () =>
      vi.waitFor(
        async () => expect(await page.evaluate(`document.querySelector('.prompt') === null`)).toBe(true),
        WITHIN,
      ),
    // An expression throws until its element is in the page, so it is tried again.
    press: (card: string, name: string) =>
      vi.waitFor(
        () =>
          page.evaluate(
            `Array.from(${inCard(card)}.querySelectorAll('button')).find((one) => one.textContent === ${JSON.stringify(name)}).click()`,
          ),
        WITHIN,
      ),
    type: (selector: string, text: string) =>
      vi.waitFor(
        () => page.evaluate(`document.querySelector(${JSON.stringify(selector)}).value = ${JSON.stringify(text)}`),
        WITHIN,
      ),
  };
}

/** Shows the page as a phone of 390 px does, and checks that nothing is cut off at the side. */
async function showAsPhone(page: Page, scheme: 'light' | 'dark', name: string) {
  await page.send('Emulation.setDeviceMetricsOverride', {
    width: 390,
    height: 844,
    deviceScaleFactor: 2,
    mobile: true,
  });
  await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  if (SCREENSHOTS === undefined) return;
  const { data } = await page.send('Page.captureScreenshot', { format: 'png' });
  writeFileSync(join(SCREENSHOTS, `${name}-${scheme}.png`), Buffer.from(String(data), 'base64'));
}

test.skipIf(isSkipped)(
  'a person approves, changes and denies tool calls on a phone, also after a broken link',
  { timeout: 120_000 },
  async () => {
    await using app = await startExample();
    await using proxy = await startFaultProxy(app.link.origin);
    await using page = await openPage(`${proxy.url}/${app.link.hash}`);
    const person = personAt(page);
    await person.sees('connected');
    await showAsPhone(page, 'light', 'empty');
    // The code is no longer in the address and cannot be used a second time. No address contains the token.
    expect(await page.evaluate('location.href')).toBe(`${proxy.url}/`);
    const code = new URLSearchParams(app.link.hash.slice(1)).get('pair');
    const again = await fetch(`${app.link.origin}/pair`, { method: 'POST', body: JSON.stringify({ code }) });
    expect(again.status).toBe(403);
    const token = String(await page.evaluate(`localStorage.getItem('approvals-token')`));
    expect(token.length).toBeGreaterThan(40);
    const addresses = await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`);
    expect(String(addresses)).toContain('/v1/code/sessions');
    expect(String(addresses)).not.toContain(token);

    app.prompt('/bash echo approved > approved.txt');
    await person.seesCard('echo approved > approved.txt');
    for (const scheme of ['light', 'dark'] as const) await showAsPhone(page, scheme, 'question');
    await person.press('echo approved', 'Approve');
    await person.seesNoCard();
    await vi.waitFor(() => expect(existsSync(join(app.cwd, 'approved.txt'))).toBe(true), WITHIN);

    app.prompt('/write changed.txt as the agent wants it');
    await person.seesCard('as the agent wants it');
    await person.press('as the agent wants it', 'Change the input');
    for (const scheme of ['light', 'dark'] as const) await showAsPhone(page, scheme, 'change');
    await person.type('textarea[name=content]', 'as the person wants it');
    await person.press('file_path', 'Approve');
    await person.seesNoCard();
    await vi.waitFor(
      () => expect(readFileSync(join(app.cwd, 'changed.txt'), 'utf8')).toContain('as the person wants it'),
      WITHIN,
    );

    // Both questions come up while the phone has no network.
    proxy.misbehave({ refuses: true });
    proxy.cut('rst');
    await person.sees('reconnecting');
    app.prompt('/bash echo denied > denied.txt');
    app.prompt('/bash echo late > late.txt');
    proxy.misbehave({});
    await person.seesCard('echo denied');
    await person.seesCard('echo late');
    for (const scheme of ['light', 'dark'] as const) await showAsPhone(page, scheme, 'two');
    await person.press('echo denied', 'Deny');
    await person.type('input[name=message]', 'not on a Friday');
    await showAsPhone(page, 'light', 'deny');
    await person.press('Message for the agent', 'Deny');
    await person.sees('not on a Friday');
    await person.press('echo late', 'Approve');
    await vi.waitFor(() => expect(existsSync(join(app.cwd, 'late.txt'))).toBe(true), WITHIN);
    await person.seesNoCard();
    expect(existsSync(join(app.cwd, 'denied.txt'))).toBe(false);
    await showAsPhone(page, 'dark', 'done');
  },
);
