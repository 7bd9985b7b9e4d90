import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

let page = '';
let declared = '';
beforeAll(async () => {
  page = await read('docs/from-the-vendor-sdk.md');
  declared = await read('tests/node_modules/@anthropic-ai/claude-agent-sdk/sdk.d.ts');
});

/** Returns the member names, indented by four, of the declaration that begins with this text. */
function membersOf(head: string, text: string, member: RegExp): string[] {
  const start = text.indexOf(head);
  const body = text.slice(start, text.indexOf('\n}', start));
  return Array.from(body.matchAll(member), ([, name]) => name ?? '');
}

/** Returns the names in the first column of a section's table. */
function namesIn(section: string): string[] {
  const rows =
    page
      .split(`## ${section}\n`)[1]
      ?.split(/\n#{2,3} /)[0]
      ?.match(/^\| .*$/gm) ?? [];
  return rows.flatMap((row) => Array.from((row.split(' | ')[0] ?? '').matchAll(/`(\w+)/g), ([, name]) => name ?? ''));
}

test('the page lists every option of the published SDK, and no others', () => {
  const options = membersOf('export declare type Options = {', declared, /^ {4}(\w+)\??:/gm);
  expect(options).toContain('canUseTool');
  const others = new Set(['prompt', 'createSdkMcpServer', 'tool', 'sdk']);
  const shown = namesIn('Options').filter((name) => !others.has(name));
  expect(options.filter((name) => !shown.includes(name))).toEqual([]);
  expect(shown.filter((name) => !options.includes(name))).toEqual([]);
});

test('the page lists every method of the published SDK', () => {
  const methods = membersOf('export declare interface Query ', declared, /^ {4}(\w+)\(/gm);
  expect(methods).toContain('interrupt');
  const shown = namesIn('Methods');
  expect(methods.filter((name) => !shown.includes(name))).toEqual([]);
});

test('the flags and control requests that the page names exist', async () => {
  const launch = await Promise.all(
    ['core/src/session/launch-flags', 'host/src/launch'].map((file) => read(`packages/${file}.ts`)),
  );
  const flags =
    launch
      .join('')
      .match(/^ {2}readonly (\w+)\?:/gm)
      ?.map((line) => line.slice(11, -2)) ?? [];
  const named = Array.from(page.matchAll(/`launch\.(\w+)/g), ([, name]) => name);
  const same = page.match(/^\| (.*) \| the same names in `launch` \|/m)?.[1]?.match(/\w+/g) ?? [];
  expect(named.length * same.length).toBeGreaterThan(0);
  expect([...named, ...same].filter((name) => !flags.includes(name ?? ''))).toEqual([]);

  const types = await read('packages/core/src/messages/message-types.ts');
  const requests = membersOf('export interface ControlRequests {', types, /^ {2}(\w+):/gm);
  const made = Array.from(page.matchAll(/`request\('(\w+)'/g), ([, name]) => name);
  // Requests that the vendor's SDK sends but does not declare have a name but no type.
  const undeclared = ['set_mcp_permission_mode_override', 'generate_session_title', 'get_status'];
  expect(made.filter((name) => !requests.includes(name ?? ''))).toEqual(undeclared);
  for (const name of undeclared) expect(types).toContain(`| '${name}'`);
});
