import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDriftReport } from '@proto/core/drift';
import { createHostSession, agentCommandLine, query } from '@proto/host';
import { recordTransport } from '@proto/recording';
import { createMessagesApi, serveOnLoopback } from '@proto/testkit';
import { spawnAgent } from '@proto/transport-stdio';

/**
 * What one scenario has: an API that says what it is told to, folders of its own, and agents that know nothing else: the native one,
 * and older ones that can be workers of a session on this machine.
 */
export async function openLab(command, workers) {
  const folder = mkdtempSync(join(tmpdir(), 'interop-claude-'));
  const replies = [];
  // A name of a model is tried with a request for one token.
  const api = createMessagesApi(({ body }) => (body.max_tokens === 1 ? 'yes' : replies.shift()));
  const server = await serveOnLoopback((request) => api.fetch(request));
  const sessions = [];
  const messages = [];
  // Every line of the wire is checked as the schemas have it, whatever its scenario is about.
  const wire = createDriftReport({ direction: 'auto', mode: 'strict' });
  const wrong = [];
  const check = (entry) => {
    const { dir, line } = JSON.parse(entry);
    if (line !== undefined) wrong.push(...wire.read(line, undefined, dir));
  };
  let stderr = '';
  writeFileSync(join(folder, 'note.txt'), 'the note\n');

  const env = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: folder,
    TMPDIR: folder,
    CLAUDE_CONFIG_DIR: join(folder, 'config'),
    ANTHROPIC_API_KEY: 'no-key',
    ANTHROPIC_BASE_URL: server.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
  };
  const start = ({ args, env: more }) => {
    const onStderr = (text) => (stderr += text);
    const transport = spawnAgent({ command, args, cwd: folder, env: { ...env, ...more }, onStderr });
    return recordTransport(transport, { side: 'host', write: check, redactor: false });
  };
  const opened = (session) => {
    sessions.push(session);
    return session;
  };

  return {
    command,
    folder,
    env,
    workers,
    opened,
    noteError: (text) => (stderr += text),
    /** The requests for messages that asked for more than a token. */
    requests: () => api.requests.filter(({ body }) => body.max_tokens !== 1),
    /** What the model answers to the requests to come, one each. */
    script: (...next) => void replies.push(...next),
    host: (options, launch) => opened(createHostSession(start(agentCommandLine(launch)), options)),
    query: (options) => opened(query({ transport: start, ...options })),
    /** All messages of an iteration. */
    async all(iteration) {
      const seen = [];
      for await (const message of iteration) {
        messages.push(message);
        seen.push(message);
      }
      return seen;
    },
    /** What of the wire no schema names; throws where a line breaks one. */
    unknownOnTheWire() {
      const [first] = wrong;
      if (first !== undefined) throw new Error(`a line is not as declared: ${JSON.stringify(first)}`);
      return wire.drift.map(({ name, path = '', value = '' }) => `${name} ${path} ${value}`.trim());
    },
    /** What happened, for who looks into a failure. */
    report() {
      const seen = messages.map(({ type, subtype }) => [type, subtype].filter(Boolean).join('/'));
      return `after ${api.requests.length} requests, the messages ${seen.join(' ')}, and on stderr ${JSON.stringify(stderr)}`;
    },
    async close() {
      for (const session of sessions) session.abort();
      await Promise.all(sessions.map(({ closed }) => closed));
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
