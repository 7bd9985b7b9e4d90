import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createHostSession } from '@proto/host';
import { createAccounts, createMemoryEventLog, listen } from '@proto/ingress';
import { startFaultProxy } from '@proto/testkit';
import { createSseTransport } from '@proto/transport-sse';

const TOKEN = 'driver-token-0123456789';
const FLAGS = [
  '--print',
  '--verbose',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--permission-prompt-tool=stdio',
  '--include-partial-messages',
  '--replay-user-messages',
];
const socketOf = ({ server, id }) => `${server.replace('http', 'ws')}/v1/session_ingress/ws/${id}`;

/** The address and the environment variables by which a published worker connects to its session. */
export const WAYS = {
  'an event stream': {
    address: ({ server, id }) => `${server}/v1/code/sessions/${id}`,
    env: ({ epoch }) => ({ CLAUDE_CODE_USE_CCR_V2: '1', CLAUDE_CODE_WORKER_EPOCH: String(epoch) }),
  },
  'a WebSocket': { address: socketOf, env: () => ({}) },
  'a WebSocket and POST': { address: socketOf, env: () => ({ CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: '1' }) },
};

/** Creates a session of our ingress with a published agent as its worker, which connects through a proxy that can cut its links. */
export async function openRemote({ workers, folder, env, opened, noteError }, worker, way) {
  const accounts = await createAccounts([{ name: 'driver', role: 'driver', token: TOKEN }]);
  const server = await listen({ log: createMemoryEventLog(), accounts, port: 0 });
  const proxy = await startFaultProxy(server.url);
  const sessions = `${server.url}/v1/code/sessions`;
  const post = async (path) => {
    const answer = await fetch(sessions + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: '{}',
    });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`);
    return answer.json();
  };
  const { id } = (await post('')).session;
  const { worker_jwt, worker_epoch: epoch } = await post(`/${id}/bridge`);
  const { address, env: variables } = WAYS[way];
  const place = { server: proxy.url, id, epoch };
  const child = spawn(workers[worker], ['--sdk-url', address(place), ...FLAGS], {
    cwd: folder,
    env: { ...env, ...variables(place), CLAUDE_CODE_SESSION_ACCESS_TOKEN: worker_jwt },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => code ?? signal);
  let stdout = '';
  child.stdout.on('data', (data) => (stdout += data));
  child.stderr.on('data', noteError);
  return {
    proxy,
    /** Fulfils with the exit code of the worker's process. */
    exited,
    /** The unexpected output of the worker. */
    stdout: () => stdout,
    /** Connects our host to the session as a remote client. */
    viewer: (options) =>
      opened(createHostSession(createSseTransport({ url: `${sessions}/${id}`, credential: () => TOKEN }), options)),
    /** Archives the session. */
    archive: () => post(`/${id}/archive`),
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exited;
      await proxy.close();
      await server.close();
    },
  };
}
