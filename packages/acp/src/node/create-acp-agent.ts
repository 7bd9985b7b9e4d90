import { readFile } from 'node:fs/promises';
import type { AgentOptions } from '@proto/agent';
import { parseJson, type WireMessage } from '@proto/core/framing';
import type { Transport } from '@proto/core/transport';
import type { HeadlessAgentOptions, HeadlessEnvironment, HeadlessOptions, OpenedSession } from '@proto/headless';
import { AgentConnection, type ClientFiles } from '../agent/agent-connection.ts';
import { runAgentTurn } from '../agent/agent-turn.ts';
import { agentMcpServers } from '../mcp-servers.ts';
import { isObject, type Members, objectOf } from '../members.ts';
import { placeIn } from './client-files.ts';

/** The options of `createAcpAgent`. */
export interface AcpAgentOptions {
  /** Starts the agent, and returns the transport to it. Called once. */
  readonly start: () => Transport;
  /** The name that `-v` prints. Default `sjp-acp-agent`. */
  readonly name?: string;
  /** Reads and writes files for the agent. Default: the agent reads and writes files itself. */
  readonly files?: ClientFiles;
  /** How to log in: the id of one of the ways that the agent lists. Default: the agent needs no login. */
  readonly authMethod?: string;
}

/** The modes that this program itself applies to the permissions that an agent requests. */
const OWN_MODES = ['default', 'acceptEdits', 'bypassPermissions', 'dontAsk'];

/**
 * Makes an agent of the Agent Client Protocol, version 1, an agent executable for any stream-json host. Pass the result to `runHeadless`. The
 * conversation is stored in session files, with the id of the agent's session, so that the agent can continue it.
 */
export function createAcpAgent(options: AcpAgentOptions): HeadlessEnvironment {
  const agent = new AcpAgent(options);
  return {
    name: options.name ?? 'sjp-acp-agent',
    reads: ['mcpConfig', 'model', 'permissionMode', 'addDir'],
    agentOptions: (start, session) => {
      start.onExit(() => agent.close());
      return agent.open(start.options, session);
    },
    runTurn: (turn) => agent.runTurn(turn),
  };
}

class AcpAgent {
  readonly #options: AcpAgentOptions;
  readonly #reported = new Set<string>();
  /** What is reported with the next turn. */
  #late: string[] = [];
  #transport: Transport | undefined;
  #connection: AgentConnection | undefined;
  #servers: Members = {};
  /** The session of the agent that is continued. Undefined for a new conversation. */
  #continued: string | undefined;
  #firstMode: string | undefined;
  #hasRun = false;
  #announce: ((message: WireMessage) => void) | undefined;

  constructor(options: AcpAgentOptions) {
    this.#options = options;
  }

  async close(): Promise<void> {
    this.#connection?.close();
    await this.#transport?.close();
  }

  async open(options: HeadlessOptions, { history }: OpenedSession): Promise<HeadlessAgentOptions> {
    const { files, authMethod, start } = this.#options;
    if (options.forkSession === true || options.resumeSessionAt !== undefined)
      throw new Error(
        'An agent of the Agent Client Protocol cannot fork a session: leave out --fork-session and --resume-session-at.',
      );
    const transport = (this.#transport = start());
    const connection = (this.#connection = new AgentConnection({
      transport,
      cwd: process.cwd(),
      additionalDirectories: options.addDir ?? [],
      files,
      authMethod,
      onLateUpdate: ({ sessionUpdate }) =>
        this.#late.push(`an update of the kind ${sessionUpdate} after the end of a turn`),
      onModeChange: (permissionMode) =>
        this.#announce?.({ type: 'system', subtype: 'status', status: null, permissionMode }),
    }));
    await connection.initialize();
    this.#servers = await configsOf(options);
    this.#continued = sessionIdIn(history);
    await this.#openSession(connection);
    this.#firstMode = connection.settings.mode;
    if (options.model !== undefined) await connection.setModel(options.model);
    if (options.permissionMode !== undefined) await this.#setMode(connection, options.permissionMode);
    return this.#agentOptions(connection);
  }

  async *runTurn(turn: Parameters<AgentOptions['runTurn']>[0]): AsyncGenerator<WireMessage, void, undefined> {
    const connection = this.#connection;
    if (connection === undefined) throw new Error('The agent has not been started.');
    this.#hasRun = true;
    this.#announce = (message) => void turn.emit(message);
    for (const what of this.#late.splice(0)) yield* this.#report(what);
    if (turn.mcpServers.length > 0) yield* this.#report('the MCP servers that run in the host');
    yield* runAgentTurn(turn, {
      connection,
      isInside,
      onUnsent: (what, emit) => this.#report(what).forEach((message) => emit(message)),
    });
  }

  /** A message about what the agent or the host is not sent. Each of these is reported once. */
  #report(what: string): readonly WireMessage[] {
    if (this.#reported.has(what)) return [];
    this.#reported.add(what);
    const content = `The Agent Client Protocol and stream-json differ: ${what} cannot be passed on.`;
    return [{ type: 'system', subtype: 'informational', content, level: 'notice' }];
  }

  async #openSession(connection: AgentConnection): Promise<void> {
    const { servers, others } = agentMcpServers(this.#servers);
    if (others.length > 0) this.#late.push(`the MCP servers ${others.join(', ')}`);
    await connection.open(servers, this.#continued);
  }

  /** A mode that the agent does not have is applied here, and the agent returns to the mode in which it began. */
  async #setMode(connection: AgentConnection, mode: string): Promise<void> {
    const { settings, name } = connection;
    if (!settings.hasMode(mode) && !OWN_MODES.includes(mode))
      throw new Error(`${name} does not offer the mode "${mode}".`);
    const wanted = settings.hasMode(mode) ? mode : this.#firstMode;
    if (wanted !== undefined && wanted !== settings.mode) await connection.setMode(wanted);
  }

  #agentOptions(connection: AgentConnection): HeadlessAgentOptions {
    const { settings } = connection;
    const initial = settings.model;
    const commands = () =>
      settings.commands.map(({ name, description, input }) => ({ name, description, argumentHint: input?.hint ?? '' }));
    return {
      permissions: { onModeChange: (mode) => this.#setMode(connection, mode) },
      models: {
        ...(initial !== undefined && { initial, default: initial }),
        onChange: async (model = initial ?? '') => {
          await connection.setModel(model);
          return model;
        },
      },
      mcp: { onSetServers: (servers) => this.#setServers(connection, servers) },
      session: { generateTitle: (description) => settings.title ?? firstLine(description) },
      initMessage: () => ({ slash_commands: settings.commands.map(({ name }) => name) }),
      initializeResponse: () => ({ commands: commands(), models: settings.models }),
    };
  }

  /** An agent is given its MCP servers when its session is opened, so a session that has not been used is opened again. */
  async #setServers(connection: AgentConnection, servers: Members) {
    const names = Object.keys(servers);
    const { others } = agentMcpServers(servers);
    if (this.#hasRun) return { errors: Object.fromEntries(names.map((name) => [name, TOO_LATE])) };
    this.#servers = { ...this.#servers, ...servers };
    await this.#openSession(connection);
    return {
      added: names.filter((name) => !others.includes(name)),
      errors: Object.fromEntries(others.map((name) => [name, 'The agent cannot start a server of this type.'])),
    };
  }
}

const TOO_LATE = 'An agent of the Agent Client Protocol takes MCP servers only before its first turn.';

/** The session of the agent in which a stored conversation took place. */
function sessionIdIn(history: readonly WireMessage[]): string | undefined {
  const id = history.findLast((message) => message['acp_session_id'] !== undefined)?.['acp_session_id'];
  return id === undefined ? undefined : String(id);
}

/** The MCP servers of the command line that are started by the agent. */
async function configsOf({ mcpConfig = [] }: HeadlessOptions): Promise<Members> {
  const read = async (config: Members | string): Promise<Members> => {
    const whole = typeof config === 'string' ? parseJson(await readFile(config, 'utf8')) : config;
    return objectOf(objectOf(whole)['mcpServers']);
  };
  const all = Object.entries(Object.assign({}, ...(await Promise.all(mcpConfig.map(read)))) as Members);
  return Object.fromEntries(all.filter(([, config]) => !(isObject(config) && config['type'] === 'sdk')));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 60) ?? '';
}

/** Whether a file is in the working directory, also if links lead to it. */
async function isInside(path: unknown): Promise<boolean> {
  return (
    typeof path === 'string' &&
    placeIn(process.cwd(), path).then(
      () => true,
      () => false,
    )
  );
}
