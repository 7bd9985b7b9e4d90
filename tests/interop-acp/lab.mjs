import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AcpClient, chosen } from './acp-client.mjs';
import { transcriptOf } from './transcript.mjs';

const built = (name) => fileURLToPath(new URL(`../../packages/cli/dist/${name}`, import.meta.url));
const AGENT = built('agent.js');

/** Lines that the adapter writes on stderr about its own work. Every other line is a complaint. */
const OWN_LINES =
  /^(Session [\da-f-]+: failed to generate a session title: Error: Query closed|\[session\/\w+\]|\[idle-compaction\] skip: |\[authStatus\] (session account carries no|discarding a probe))/;

export const OURS = 'sjp acp';

/** The programs that an editor can start, by name: functions that return the command line for an agent. */
export const programsOf = (node, adapter) => ({
  // This adapter takes its agent from CLAUDE_CODE_EXECUTABLE.
  'claude-agent-acp': () => [node, adapter],
  [OURS]: (agent) => [process.execPath, built('main.js'), 'acp', '--', agent],
});

/**
 * The environment of one scenario: the program that the editor starts, which runs `sjp-agent` and knows nothing else of this machine.
 *
 * @param {string} program the name of the program
 * @param {(agent: string) => readonly string[]} commandOf returns the command line of the program
 * @param {{ acpxCommand?: readonly string[], native?: { agent: string, url: string } }} more the command line of the client for the shell, and the
 * native agent with the address of its model. Default: the reference agent
 */
export function openLab(program, commandOf, { acpxCommand = [], native } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'interop-acp-'));
  const cwd = join(folder, 'work');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'note.txt'), 'the note\n');
  // The adapter runs this file as its agent. It records every command line.
  const agent = join(folder, 'agent');
  const argv = join(folder, 'argv');
  writeFileSync(argv, '');
  const started = native === undefined ? `'${process.execPath}' '${AGENT}'` : `'${native.agent}'`;
  writeFileSync(agent, `#!/bin/sh\necho "$*" >> '${argv}'\nexec ${started} "$@"\n`, { mode: 0o755 });
  const env = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: folder,
    TMPDIR: folder,
    CLAUDE_CONFIG_DIR: join(folder, 'config'),
    CLAUDE_CODE_EXECUTABLE: agent,
    SJP_HOME: join(folder, 'state'),
    SJP_SESSION_LAYOUT: 'published',
    ...(native && {
      ANTHROPIC_API_KEY: 'no-key',
      ANTHROPIC_BASE_URL: native.url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    }),
  };
  const clients = [];
  /** Lines that a scenario causes on purpose. */
  let expected;
  /** Starts an adapter, and introduces the client to it. */
  async function connect(clientCapabilities = {}) {
    const [command, ...args] = commandOf(agent);
    const client = new AcpClient(command, args, { cwd, env });
    clients.push(client);
    const about = await client.request('initialize', { protocolVersion: 1, clientCapabilities });
    return { client, about };
  }

  return {
    program,
    cwd,
    env,
    agentCommand: commandOf(agent),
    acpxCommand,
    connect,
    /** Starts an adapter with one session, and functions for this session. */
    async open(members = {}, clientCapabilities = {}) {
      const { client } = await connect(clientCapabilities);
      const opened = await client.request('session/new', { cwd, mcpServers: [], ...members });
      return { client, opened, ...sessionOf(client, opened.sessionId) };
    },
    sessionOf,
    /** The command lines of the agent so far. */
    commandLines: () => readFileSync(argv, 'utf8').trim().split('\n'),
    /** The lines on stderr that complain about the agent. */
    complaints: () =>
      clients.flatMap(({ stderr }) =>
        stderr.split('\n').filter((line) => line !== '' && !OWN_LINES.test(line) && !expected?.test(line)),
      ),
    /** Sets a pattern of lines on stderr that do not count as complaints. */
    expectLines: (pattern) => (expected = pattern),
    /** What each session has received, in a form that does not depend on ids, times and the sizes of chunks. */
    transcript: () => clients.flatMap((client) => transcriptOf(client, cwd)),
    /** Describes what happened, for the report of a failure. */
    report: () => clients.map(({ stderr, notifications }) => ({ stderr, notifications: notifications.slice(-20) })),
    /** Ends the adapters by closing their input, as an editor does. */
    close: () => Promise.all(clients.map((client) => client.close())),
    remove() {
      for (const client of clients) client.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The functions of one session of a client. */
export function sessionOf(client, sessionId) {
  return {
    sessionId,
    /** Runs a turn. Fulfils with the answer to the prompt. */
    prompt: (text, ...blocks) =>
      client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }, ...blocks] }),
    setOption: (configId, value) => client.request('session/set_config_option', { sessionId, configId, value }),
    cancel: () => client.notify('session/cancel', { sessionId }),
    text: (kind) => client.text(sessionId, kind),
    updates: (kind) => client.updates(sessionId, kind),
    /** The last state of each tool call: the members of its updates, of which later ones replace earlier ones. */
    toolCalls() {
      const calls = new Map();
      for (const { sessionUpdate, toolCallId, ...members } of client.updates(sessionId)) {
        if (!sessionUpdate.startsWith('tool_call')) continue;
        calls.set(toolCallId, { ...calls.get(toolCallId), ...members });
      }
      return [...calls.values()];
    },
    answer: (kind) => {
      client.onPermission = (request) => chosen(request, kind);
    },
  };
}
