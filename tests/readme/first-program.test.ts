/** The first program of the README, over each of its transports: only the line of the transport differs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runAgent } from '@proto/agent';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { createReferenceAgent } from '@proto/reference-agent';
import { openSession } from '@proto/remote';
import { attachWorker } from '@proto/remote/worker';
import { afterAll, expect, test } from 'vitest';
import { blocksOf, ROOT } from './documents.ts';

// Inside this package, so that the imports of the program resolve.
const folder = mkdtempSync(fileURLToPath(new URL('run-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));
symlinkSync(join(ROOT, 'packages/cli/dist/agent.js'), join(folder, 'sjp-agent'));

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const programs = blocksOf(readme).flatMap(({ language, code }) => (language === 'ts' ? [code] : []));
const [first = '', ...others] = programs;
const token = 'the-token-of-alice';

/** The first program with another transport in place of `stdio`. */
function over(transport: string): string {
  const [importing = '', , ...creating] = transport.split('\n');
  const [before = '', after = ''] = first.split(/^.*@proto\/transport-stdio.*\n/m);
  const changed = after
    .replace(/transport: stdio\(.*$/m, 'transport,')
    .replace('const session', `${creating.join('\n')}\nconst session`);
  return `${before}${importing}\n${changed}`;
}

async function run(program: string): Promise<unknown> {
  const file = join(folder, 'first.mjs');
  writeFileSync(file, program);
  const PATH = [folder, dirname(process.execPath)].join(delimiter);
  const child = spawn(process.execPath, [file], { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, exitCode };
}

const HELLO = { stdout: 'hello\n', stderr: '', exitCode: 0 };

test('runs over stdio', async () => {
  expect(await run(first)).toEqual(HELLO);
});

test.each([
  ['@proto/transport-websocket', 'wss:'],
  ['@proto/transport-sse', 'https:'],
])('runs with %s when the lines of the transport are exchanged', async (name, scheme) => {
  const lines = others.find((code) => code.includes(name)) ?? '';
  const accounts = await createAccounts([{ name: 'alice', role: 'driver', token }]);
  await using server = await listen({ log: createMemoryEventLog(), accounts });
  const { id } = await openSession({ base: server.url, session: 'new', token });
  const worker = attachWorker({ url: `${server.url}/v1/code/sessions/${id}`, token });
  const reference = createReferenceAgent({ permissionPromptTool: 'stdio' });
  const ended = runAgent(worker, { ...reference, permissions: { ...reference.permissions, prompts: 'host' } });
  const local = lines.replace('agents.example', new URL(server.url).host).replace('cse_1', id);
  expect(await run(over(local.replace(scheme, scheme.replace('s:', ':'))))).toEqual(HELLO);
  await worker.close();
  await ended;
});
