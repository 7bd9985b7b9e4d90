import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runAgent } from '@proto/agent';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { createReferenceAgent } from '@proto/reference-agent';
import { openSession } from '@proto/remote';
import { attachWorker } from '@proto/remote/worker';
import { blocksOf, ROOT } from './documents.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const [first = '', ...others] = blocksOf(readme).flatMap(({ language, code }) => (language === 'ts' ? [code] : []));
const token = 'the-token-of-alice';

/** The first program of the README, which starts `sjp-agent`. */
export const FIRST_PROGRAM = first;
/** The agent of the README. */
export const AGENT_PROGRAM = others.find((code) => code.includes('runHeadless')) ?? '';
type RemoteTransport = readonly [name: string, scheme: string];

/** The transports that the README names for agents on other machines, with the schemes of their addresses. */
export const REMOTE_TRANSPORTS: readonly RemoteTransport[] = [
  ['@proto/transport-websocket', 'wss:'],
  ['@proto/transport-sse', 'https:'],
];

/**
 * Starts a server with an agent, and returns the first program with the lines of a transport that connects to this agent. Pages of these origins may use
 * the server.
 */
export async function remoteProgram([name, scheme]: RemoteTransport, allowedOrigins: readonly string[] = []) {
  const lines = others.find((code) => code.includes(name)) ?? '';
  const accounts = await createAccounts([{ name: 'alice', role: 'driver', token }]);
  const server = await listen({ log: createMemoryEventLog(), accounts, allowedOrigins });
  const { id } = await openSession({ base: server.url, session: 'new', token });
  const worker = attachWorker({ url: `${server.url}/v1/code/sessions/${id}`, token });
  const reference = createReferenceAgent({ permissionPromptTool: 'stdio' });
  const ended = runAgent(worker, { ...reference, permissions: { ...reference.permissions, prompts: 'host' } });
  const local = lines.replace('agents.example', new URL(server.url).host).replace('cse_1', id);
  return {
    program: over(local.replace(scheme, scheme.replace('s:', ':'))),
    async [Symbol.asyncDispose]() {
      await worker.close();
      await ended;
      await server.close();
    },
  };
}

/** The first program with another transport in place of `stdio`. */
function over(transport: string): string {
  const [importing = '', , ...creating] = transport.split('\n');
  const [before = '', after = ''] = first.split(/^.*@proto\/transport-stdio.*\n/m);
  const changed = after
    .replace(/transport: stdio\(.*$/m, 'transport,')
    .replace('const session', `${creating.join('\n')}\nconst session`);
  return `${before}${importing}\n${changed}`;
}
