import { onTestFinished } from 'vitest';
import { MAIN, outcomeOf, readUntil, start } from '../bins.test-support.ts';

/** Starts a server as a program. It stores sessions in memory unless the flags name a store or a state folder is set. */
export async function startServer(args: readonly string[] = [], variables: Readonly<Record<string, string>> = {}) {
  const [flags, agent] = args.includes('--')
    ? [args.slice(0, args.indexOf('--')), args.slice(args.indexOf('--'))]
    : [args, []];
  const listen = flags.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'];
  const isGiven = flags.includes('--store') || variables['SJP_HOME'] !== undefined;
  const store = isGiven ? [] : ['--store', 'memory'];
  const child = start(MAIN, ['serve', ...listen, ...store, '--json', ...flags, ...agent], variables);
  onTestFinished(() => void child.kill('SIGKILL'));
  const first = JSON.parse(await readUntil(child, '"type":"listening"')) as {
    readonly base: string;
    readonly token: string;
    readonly tokenFile: string;
    readonly store: string;
  };
  const { base, token } = first;
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${base}/v1/code/sessions${path}`, { ...init, headers });
    const body = (await response.json().catch(() => undefined)) as Record<string, unknown>;
    return { status: response.status, body };
  };
  const post = (path: string, body: object = {}) => call(path, { method: 'POST', body: JSON.stringify(body) });
  return {
    ...first,
    child,
    call,
    post,
    async newSession(): Promise<string> {
      const { body } = await post('');
      return (body['session'] as { readonly id: string }).id;
    },
    say: (session: string, ...messages: readonly object[]) =>
      post(`/${session}/events`, { events: messages.map((payload) => ({ payload })) }),
    async logOf(session: string): Promise<readonly Record<string, unknown>[]> {
      const { body } = await call(`/${session}/events`);
      return (body['data'] as { readonly payload: Record<string, unknown> }[]).map(({ payload }) => payload);
    },
    /** Stops the server with a signal. Returns the events that it wrote after its first line, its stderr output and its exit code. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      const ended = outcomeOf(child, '');
      child.kill(signal);
      const { stdout, stderr, code } = await ended;
      const events = stdout.split('\n').filter((line) => line !== '');
      return { stderr, code, events: events.map((line) => JSON.parse(line) as Record<string, unknown>) };
    },
  };
}

export function user(content: string): object {
  return { type: 'user', message: { role: 'user', content }, uuid: crypto.randomUUID(), parent_tool_use_id: null };
}
