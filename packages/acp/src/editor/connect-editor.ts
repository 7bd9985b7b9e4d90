import {
  agent,
  type AgentCapabilities,
  type AgentConnection,
  type AgentContext,
  type ClientCapabilities,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type LoadSessionResponse,
  methods,
  type NewSessionRequest,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
  type Stream,
} from '@agentclientprotocol/sdk';
import type { WireMessage } from '@proto/core/framing';
import type { Transport } from '@proto/core/transport';
import { type AgentCommand, agentCommandLine, createHostSession, type LaunchOptions } from '@proto/host';
import { EditorSession } from './editor-session.ts';
import { mcpServersOf } from './mcp-servers.ts';

/** How the agent of a session is started. */
export interface AgentStart extends AgentCommand {
  /** The working directory of the session. */
  readonly cwd: string;
}

/** A stored conversation, as editors list it. */
export interface StoredSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly title?: string | undefined;
  /** When the conversation was last changed, as an ISO 8601 text. */
  readonly updatedAt?: string | undefined;
}

/** The conversations that agents have stored. */
export interface StoredSessions {
  /** The conversations of a working directory, or of all working directories, the newest first. */
  list(cwd: string | undefined): Promise<readonly StoredSession[]>;
  /** The `user` and `assistant` messages of a conversation. `undefined` if the conversation does not exist. */
  read(sessionId: string, cwd: string): Promise<readonly WireMessage[] | undefined>;
  /** Deletes a conversation. A conversation that does not exist is not an error. */
  delete(sessionId: string): Promise<void>;
}

/** The options of `connectEditor`. */
export interface EditorOptions {
  /** Starts the agent of a session, and returns the transport to it. Called once for each session that the editor opens. */
  readonly start: (start: AgentStart) => Transport;
  /** The conversations that the agent has stored. Default: none, so the editor cannot load, list or delete sessions. */
  readonly sessions?: StoredSessions;
  /** Further flags of each agent. Default: none. */
  readonly launch?: LaunchOptions;
  /** Deletes the login of the agent. Default: the editor cannot log out. */
  readonly logout?: () => Promise<void>;
  /** The name and the version that the editor shows. Default: `sjp`, and an empty version. */
  readonly info?: { readonly name: string; readonly version: string };
}

/**
 * Serves an editor that uses the Agent Client Protocol, version 1, with an agent that uses this protocol. Each session of the editor has its own agent
 * process. When the connection closes, the agents are closed too.
 *
 * @example
 * ```ts
 * import { Readable, Writable } from 'node:stream';
 * import { ndJsonStream } from '@agentclientprotocol/sdk';
 * import { connectEditor } from '@proto/acp';
 * import { stdio } from '@proto/transport-stdio';
 *
 * const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
 * const editor = ndJsonStream(Writable.toWeb(process.stdout), input);
 * await connectEditor(editor, { start: ({ cwd, ...command }) => stdio('claude', { cwd })(command) }).closed;
 * ```
 */
export function connectEditor(stream: Stream, options: EditorOptions): AgentConnection {
  const { logout, sessions } = options;
  const editor = new EditorConnection(options);
  const app = agent({ name: options.info?.name ?? 'sjp' })
    .onConnect(({ client }) => editor.connected(client))
    .onRequest(methods.agent.initialize, ({ params }) => editor.initialize(params.clientCapabilities ?? {}))
    .onRequest(methods.agent.authenticate, () => ({}))
    .onRequest(methods.agent.session.new, ({ params }) => editor.create(params))
    .onRequest(methods.agent.session.resume, ({ params }) => editor.resume(params))
    .onRequest(methods.agent.session.prompt, ({ params }) => editor.session(params.sessionId).prompt(params.prompt))
    .onRequest(methods.agent.session.close, ({ params }) => editor.close(params.sessionId))
    .onRequest(methods.agent.session.setMode, ({ params }) => editor.session(params.sessionId).setMode(params.modeId))
    .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
      editor.setOption(params.sessionId, params.configId, params.value),
    )
    .onNotification(methods.agent.session.cancel, ({ params }) => editor.session(params.sessionId).cancel());
  if (sessions !== undefined)
    app
      .onRequest(methods.agent.session.load, ({ params }) => editor.load(params, sessions))
      .onRequest(methods.agent.session.list, ({ params }) => listSessions(params, sessions))
      .onRequest(methods.agent.session.delete, ({ params }) => editor.delete(params.sessionId, sessions));
  if (logout !== undefined) app.onRequest(methods.agent.logout, () => logout());
  const connection = app.connect(stream);
  void connection.closed.then(() => editor.closeAll()).catch(() => {});
  return connection;
}

/** The sessions of one connection. */
class EditorConnection {
  readonly #options: EditorOptions;
  readonly #sessions = new Map<string, EditorSession>();
  #client: AgentContext | undefined;
  #capabilities: ClientCapabilities = {};

  constructor(options: EditorOptions) {
    this.#options = options;
  }

  connected(client: AgentContext): void {
    this.#client = client;
  }

  initialize(capabilities: ClientCapabilities): InitializeResponse {
    this.#capabilities = capabilities;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: this.#options.info ?? { name: 'sjp', version: '' },
      agentCapabilities: capabilitiesOf(this.#options),
      authMethods: [],
    };
  }

  /** @throws {RequestError} `-32002`, if the session is not open. */
  session(sessionId: string): EditorSession {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  async create(request: NewSessionRequest): Promise<NewSessionResponse> {
    const sessionId = crypto.randomUUID();
    const session = await this.#open(sessionId, request, { sessionId });
    return { sessionId, ...announced(session) };
  }

  resume(request: ResumeSessionRequest): Promise<LoadSessionResponse> {
    return this.#reopen(request, []);
  }

  /** The conversation is sent before the answer, as the protocol requires. */
  async load(request: LoadSessionRequest, sessions: StoredSessions): Promise<LoadSessionResponse> {
    const history = await sessions.read(request.sessionId, request.cwd);
    if (history === undefined) throw RequestError.sessionNotFound(request.sessionId);
    return this.#reopen(request, history);
  }

  async setOption(sessionId: string, option: string, value: unknown) {
    const session = this.session(sessionId);
    if (option === 'mode') await session.setMode(String(value));
    else if (option === 'model') await session.setModel(String(value));
    else throw RequestError.invalidParams(undefined, `there is not an option "${option}": use mode or model`);
    return { configOptions: session.configOptions };
  }

  async close(sessionId: string): Promise<void> {
    const session = this.session(sessionId);
    this.#sessions.delete(sessionId);
    await session.close();
  }

  async delete(sessionId: string, sessions: StoredSessions): Promise<void> {
    if (this.#sessions.has(sessionId)) await this.close(sessionId);
    await sessions.delete(sessionId);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((sessionId) => this.close(sessionId)));
  }

  async #reopen(request: ResumeSessionRequest, history: readonly WireMessage[]): Promise<LoadSessionResponse> {
    const { sessionId } = request;
    if (this.#sessions.has(sessionId)) await this.close(sessionId);
    const session = await this.#open(sessionId, request, { resume: sessionId });
    await session.replay(history);
    return announced(session);
  }

  /** Starts the agent of a session. `which` are the flags that choose the conversation. */
  async #open(
    sessionId: string,
    { cwd, additionalDirectories, mcpServers = [] }: Omit<ResumeSessionRequest, 'sessionId'>,
    which: Pick<LaunchOptions, 'sessionId' | 'resume'>,
  ): Promise<EditorSession> {
    const { start, launch = {} } = this.#options;
    const flags: LaunchOptions = {
      includePartialMessages: true,
      permissionPromptTool: 'stdio',
      ...(mcpServers.length > 0 && { awaitInitialize: true }),
      ...(additionalDirectories && { addDir: additionalDirectories }),
      ...launch,
      ...which,
    };
    const session = new EditorSession({
      sessionId,
      cwd,
      client: this.#client ?? unconnected(),
      clientCapabilities: this.#capabilities,
      mode: launch.permissionMode ?? 'default',
      open: (options) => {
        const initialize = mcpServers.length > 0 ? { initialize: { mcpServers: mcpServersOf(mcpServers) } } : {};
        return createHostSession(start({ ...agentCommandLine(flags), cwd }), { ...options, ...initialize });
      },
    });
    this.#sessions.set(sessionId, session);
    try {
      await session.opened();
    } catch (error) {
      this.#sessions.delete(sessionId);
      await session.close();
      throw error;
    }
    return session;
  }
}

function unconnected(): never {
  throw RequestError.invalidRequest(undefined, 'the connection is not open yet');
}

function capabilitiesOf({ sessions, logout }: EditorOptions): AgentCapabilities {
  const stored = sessions === undefined ? {} : { list: {}, delete: {} };
  return {
    loadSession: sessions !== undefined,
    promptCapabilities: { image: true, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { ...stored, resume: {}, close: {}, additionalDirectories: {} },
    ...(logout && { auth: { logout: {} } }),
  };
}

/** The answer that opens a session. The commands are sent in a later task, because editors expect them after this answer. */
function announced(session: EditorSession): LoadSessionResponse {
  setTimeout(() => void session.sendCommands().catch(() => {}));
  const { modes, configOptions } = session;
  return { modes, configOptions };
}

async function listSessions({ cwd }: ListSessionsRequest, sessions: StoredSessions): Promise<ListSessionsResponse> {
  const stored = await sessions.list(cwd ?? undefined);
  return {
    sessions: stored.map(({ sessionId, cwd: folder, title, updatedAt }) => ({
      sessionId,
      cwd: folder,
      ...(title !== undefined && { title }),
      ...(updatedAt !== undefined && { updatedAt }),
    })),
  };
}
