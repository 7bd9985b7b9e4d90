import { readFile } from 'node:fs/promises';
import type { McpServersChange, Turn } from '@proto/agent';
import { parseJson, type WireMessage } from '@proto/core/framing';
import type { Transport } from '@proto/core/transport';
import type { HeadlessAgentOptions, HeadlessEnvironment, HeadlessOptions } from '@proto/headless';
import { resolveInside } from '@proto/permissions/node';
import { ConnectedAgent, type ClientFiles } from '../agent/connected-agent.ts';
import { runAgentTurn } from '../agent/agent-turn.ts';
import { agentMcpServers } from '../mcp-servers.ts';
import { type Members, objectOf } from '../members.ts';

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
  let agent: AcpAgent | undefined;
  return {
    name: options.name ?? 'sjp-acp-agent',
    reads: ['mcpConfig', 'model', 'permissionMode', 'addDir'],
    async agentOptions(start, { history }) {
      const flags = start.options;
      if (flags.forkSession === true || flags.resumeSessionAt !== undefined) throw new Error(NO_FORKS);
      const started = new AcpAgent(options, flags, history);
      agent = started;
      start.onExit(() => started.close());
      await started.open(flags);
      return started.agentOptions();
    },
    runTurn(turn) {
      if (agent === undefined) throw new Error('The agent has not been started.');
      return agent.runTurn(turn);
    },
  };
}

class AcpAgent {
  readonly #connection: ConnectedAgent;
  /** The session of the agent that is continued. Undefined for a new conversation. */
  readonly #continued: string | undefined;
  readonly #reported = new Set<string>();
  /** What is reported with the next turn. */
  #late: string[] = [];
  #servers: Members = {};
  #firstMode: string | undefined;
  /** Sends a message to the host. Undefined before the first turn. */
  #emit: ((message: WireMessage) => void) | undefined;

  constructor({ start, files, authMethod }: AcpAgentOptions, { addDir = [] }: HeadlessOptions, history: History) {
    this.#continued = sessionIdIn(history);
    this.#connection = new ConnectedAgent({
      transport: start(),
      cwd: process.cwd(),
      additionalDirectories: [...addDir],
      files,
      authMethod,
      onLateUpdate: ({ sessionUpdate }) =>
        this.#late.push(`an update of the kind ${sessionUpdate} after the end of a turn`),
      onModeChange: (permissionMode) =>
        this.#emit?.({ type: 'system', subtype: 'status', status: null, permissionMode }),
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async open(flags: HeadlessOptions): Promise<void> {
    await this.#connection.initialize();
    await this.#openSession(await configsOf(flags));
    this.#firstMode = this.#connection.settings.mode;
    if (flags.model !== undefined) await this.#connection.setModel(flags.model);
    if (flags.permissionMode !== undefined) await this.#setMode(flags.permissionMode);
  }

  agentOptions(): HeadlessAgentOptions {
    const { settings } = this.#connection;
    const initial = settings.model;
    const commands = () =>
      settings.commands.map(({ name, description, input }) => ({ name, description, argumentHint: input?.hint ?? '' }));
    return {
      permissions: { onModeChange: (mode) => this.#setMode(mode) },
      models: {
        ...(initial !== undefined && { initial, default: initial }),
        onChange: async (model = initial ?? '') => {
          await this.#connection.setModel(model);
          return model;
        },
      },
      mcp: { onSetServers: (servers) => this.#setServers(servers) },
      session: { generateTitle: (description) => settings.title ?? firstLine(description) },
      initMessage: () => ({ slash_commands: settings.commands.map(({ name }) => name) }),
      initializeResponse: () => ({ commands: commands(), models: settings.models }),
    };
  }

  runTurn(turn: Turn): AsyncIterable<WireMessage> {
    this.#emit = (message) => void turn.emit(message);
    if (turn.mcpServers.length > 0) this.#late.push('the MCP servers that run in the host');
    for (const what of this.#late.splice(0)) this.#report(what);
    return runAgentTurn(turn, { connection: this.#connection, isInside, onUnsent: (what) => this.#report(what) });
  }

  /** Reports what the agent or the host is not sent. Each of these is reported once. */
  #report(what: string): void {
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    const content = `The Agent Client Protocol and stream-json differ: ${what} cannot be passed on.`;
    this.#emit?.({ type: 'system', subtype: 'informational', content, level: 'notice' });
  }

  /** A mode that the agent does not have is applied here, and the agent returns to the mode in which it began. */
  async #setMode(mode: string): Promise<void> {
    const { settings, name } = this.#connection;
    const isOffered = settings.modes.includes(mode);
    if (!isOffered && !OWN_MODES.includes(mode)) throw new Error(`${name} does not offer the mode "${mode}".`);
    const wanted = isOffered ? mode : this.#firstMode;
    if (wanted !== undefined && wanted !== settings.mode) await this.#connection.setMode(wanted);
  }

  /** An agent is given its MCP servers when its session is opened, so a session that has not been used is opened again. */
  async #setServers(servers: Members): Promise<McpServersChange> {
    const names = Object.keys(servers);
    const isTooLate = this.#emit !== undefined;
    const refused = isTooLate ? names : agentMcpServers(servers).others;
    if (!isTooLate) await this.#openSession(servers);
    const why = isTooLate ? TOO_LATE : 'The agent cannot start a server of this type.';
    return {
      added: names.filter((name) => !refused.includes(name)),
      errors: Object.fromEntries(refused.map((name) => [name, why])),
    };
  }

  /** Opens the session with further MCP servers. */
  async #openSession(added: Members): Promise<void> {
    this.#servers = { ...this.#servers, ...added };
    const { servers, others } = agentMcpServers(this.#servers);
    if (others.length > 0) this.#late.push(`the MCP servers ${others.join(', ')}`);
    await this.#connection.open(servers, this.#continued);
  }
}

type History = readonly WireMessage[];

const NO_FORKS =
  'An agent of the Agent Client Protocol cannot fork a session: leave out --fork-session and --resume-session-at.';
const TOO_LATE = 'An agent of the Agent Client Protocol takes MCP servers only before its first turn.';

/** The session of the agent in which a stored conversation took place. */
function sessionIdIn(history: History): string | undefined {
  const id = history.findLast((message) => message['acp_session_id'] !== undefined)?.['acp_session_id'];
  return id === undefined ? undefined : String(id);
}

/** The MCP servers of the command line that are started by the agent. */
async function configsOf({ mcpConfig = [] }: HeadlessOptions): Promise<Members> {
  const configs = await Promise.all(
    mcpConfig.map(async (config) => (typeof config === 'string' ? parseJson(await readFile(config, 'utf8')) : config)),
  );
  const servers = configs.flatMap((config) => Object.entries(objectOf(objectOf(config)['mcpServers'])));
  const named = Object.entries(Object.fromEntries(servers));
  return Object.fromEntries(named.filter(([, server]) => objectOf(server)['type'] !== 'sdk'));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 60) ?? '';
}

/** Whether a file is in the working directory, also if links lead to it. */
async function isInside(path: unknown): Promise<boolean> {
  return typeof path === 'string' && (await resolveInside(process.cwd(), path).catch(() => undefined)) !== undefined;
}
