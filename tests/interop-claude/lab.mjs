import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDriftReport } from '@proto/core/drift';
import { createHostSession, agentCommandLine, query } from '@proto/host';
import { recordTransport } from '@proto/recording';
import { createMessagesApi, serveOnLoopback } from '@proto/testkit';
import { spawnAgent } from '@proto/transport-stdio';

/**
 * The environment of one scenario: an API that follows a script, its own folders, and agents that use nothing else: the native agent,
 * and older agents that can be workers of a session on this machine.
 */
export async function openLab(command, workers) {
  const folder = mkdtempSync(join(tmpdir(), 'interop-claude-'));
  const replies = [];
  // The agent checks the name of a model with a request for one token.
  const api = createMessagesApi(({ body }) => (body.max_tokens === 1 ? 'yes' : replies.shift()));
  const server = await serveOnLoopback((request) => api.fetch(request));
  const sessions = [];
  const messages = [];
  // The schemas check every line of the wire, in every scenario.
  const wire = createDriftReport({ direction: 'auto', mode: 'strict' });
  const wrong = [];
  const unknown = [];
  const check = (entry) => {
    const { dir, line } = JSON.parse(entry);
    if (line === undefined) return;
    const before = wire.drift.length;
    wrong.push(...wire.read(line, undefined, dir));
    // Our host sends unknown requests and values on purpose.
    if (dir === 'from-agent') unknown.push(...wire.drift.slice(before));
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
    /** Returns the requests for messages of more than one token. */
    requests: () => api.requests.filter(({ body }) => body.max_tokens !== 1),
    /** Sets the answers of the model to the next requests, one answer for each request. */
    script: (...next) => void replies.push(...next),
    host: (options, launch) => opened(createHostSession(start(agentCommandLine(launch)), options)),
    query: (options) => opened(query({ transport: start, ...options })),
    /** Collects all messages of an iteration. */
    async all(iteration) {
      const seen = [];
      for await (const message of iteration) {
        messages.push(message);
        seen.push(message);
      }
      return seen;
    },
    /** Returns the parts of what the agent sent that no schema names. Throws if a line does not satisfy its schema. */
    unknownOnTheWire() {
      const [first] = wrong;
      if (first !== undefined) throw new Error(`a line is not as declared: ${JSON.stringify(first)}`);
      return unknown.map(({ name, path = '', value = '' }) => `${name} ${path} ${value}`.trim());
    },
    /** Describes what happened, for the report of a failure. */
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
