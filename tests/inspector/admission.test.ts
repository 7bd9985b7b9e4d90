/** Tests which requests may open the page of `sjp inspect`. */
import { request } from 'node:http';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { isSkipped } from '../runtimes/chromium.ts';
import { createFolder, inspect, type Inspecting, InspectorPage } from './inspector-page.test-support.ts';
import { sampleRecording } from './sample-recording.test-support.ts';

async function withCommand(run: (command: Inspecting) => Promise<void>): Promise<void> {
  using folder = createFolder();
  await using command = await inspect([folder.write('fix.jsonl', sampleRecording(2))], folder.path);
  await run(command);
}

/** Sends a request with headers that `fetch` does not send. */
async function ask(url: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
  const outgoing = request(url, { headers, method: body === undefined ? 'GET' : 'POST' });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: Number(response.statusCode),
    headers: response.headers as Readonly<Record<string, string>>,
    text: Buffer.concat(chunks).toString(),
  };
}

const JSON_BODY = { 'content-type': 'application/json' };
const ticketOf = ({ link }: Inspecting) => new URLSearchParams(new URL(link).hash.slice(1)).get('ticket') ?? '';

describe('admission', { timeout: 120_000 }, () => {
  test('everything but the page needs the cookie', () =>
    withCommand(async ({ url }) => {
      for (const path of ['/ui/sessions', '/ui/schemas', '/ui/sessions/file/recording', '/ui/sessions/file/live']) {
        expect((await ask(url + path)).status, path).toBe(401);
        expect((await ask(url + path, { cookie: `sjp_inspect_${new URL(url).port}=wrong` })).status, path).toBe(401);
      }
      for (const path of ['/ui/sessions/file/actions', '/ui/tickets'])
        expect((await ask(url + path, JSON_BODY, '{}')).status, path).toBe(401);
      expect((await ask(`${url}/../../etc/passwd`)).status).toBe(404);
    }));

  test('a ticket is good once, and gives a cookie that no script and no other site can use', () =>
    withCommand(async (command) => {
      const enter = () => ask(`${command.url}/ui/enter`, JSON_BODY, JSON.stringify({ ticket: ticketOf(command) }));
      const first = await enter();
      expect(first.status).toBe(200);
      const [cookie = ''] = first.headers['set-cookie'] as unknown as string[];
      expect(cookie).toMatch(/^sjp_inspect_\d+=[\w-]{43}; Max-Age=43200; Path=\/ui; HttpOnly; SameSite=Strict$/);
      expect((await enter()).status).toBe(401);
      const with_ = { cookie: cookie.split(';')[0] ?? '' };
      expect((await ask(`${command.url}/ui/sessions`, with_)).status).toBe(200);
      expect((await ask(`${command.url}/ui/sessions/other/recording`, { ...with_, range: 'bytes=0-9' })).status).toBe(
        404,
      );
      expect((await ask(`${command.url}/ui/sessions/file/recording`, with_)).status).toBe(400);
      expect(
        (
          await ask(
            `${command.url}/ui/sessions/file/actions`,
            { ...with_, ...JSON_BODY },
            '{"action":"hold","direction":"from-host"}',
          )
        ).status,
      ).toBe(409);
    }));

  test('a wrong ticket, another type of body and a long body are refused', () =>
    withCommand(async (command) => {
      const body = JSON.stringify({ ticket: ticketOf(command) });
      expect((await ask(`${command.url}/ui/enter`, JSON_BODY, '{"ticket":"guessed"}')).status).toBe(401);
      expect((await ask(`${command.url}/ui/enter`, { 'content-type': 'text/plain' }, body)).status).toBe(401);
      expect((await ask(`${command.url}/ui/enter`, JSON_BODY, `{"ticket":"${'x'.repeat(20_000)}"}`)).status).toBe(413);
      // The ticket was not used up by the wrong requests.
      expect((await ask(`${command.url}/ui/enter`, JSON_BODY, body)).status).toBe(200);
    }));

  test('foreign origins, foreign hosts, and pages on other ports are refused before anything is done', () =>
    withCommand(async (command) => {
      const body = JSON.stringify({ ticket: ticketOf(command) });
      const foreign = [
        { host: 'evil.example' },
        { host: `evil.example:${new URL(command.url).port}` },
        { origin: 'https://evil.example' },
        { origin: 'http://127.0.0.1:1' },
        { origin: 'null' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site' },
      ];
      for (const headers of foreign) {
        expect((await ask(`${command.url}/`, headers)).status, JSON.stringify(headers)).toBe(403);
        expect(
          (await ask(`${command.url}/ui/enter`, { ...JSON_BODY, ...headers }, body)).status,
          JSON.stringify(headers),
        ).toBe(403);
      }
      expect((await ask(`${command.url}/ui/enter`, { ...JSON_BODY, origin: command.url }, body)).status).toBe(200);
    }));

  test('the page may load nothing from elsewhere, and stands in no frame', () =>
    withCommand(async ({ url }) => {
      const { headers, text } = await ask(`${url}/`);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; worker-src blob:; connect-src 'self'; /,
      );
      for (const rule of [
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy).toContain(rule);
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      expect(text).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?!data:,)/);
    }));

  test.skipIf(isSkipped)(
    'the address of the page has no ticket after the exchange, and a second browser is refused',
    () =>
      withCommand(async ({ link, url }) => {
        await using page = await InspectorPage.open(link);
        await page.sees('.frame');
        expect(await page.page.evaluate('location.href')).toBe(`${url}/`);
        expect(await page.page.evaluate('document.cookie')).toBe('');
        await using second = await InspectorPage.open(link);
        await second.sees('.entrance', 'can be used only once');
        // An admitted page can create links for others.
        await page.page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
        await page.click('.top button', 'Copy link');
        await second.goto(String(await page.until('window.copied')));
        await second.sees('.frame');
      }),
  );
});
