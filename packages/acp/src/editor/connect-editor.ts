import { agent, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type * as acp from '@agentclientprotocol/sdk';
import type { Transport } from '@proto/core/transport';
import { streamOver } from '../transport-stream.ts';
import { EditorSession } from './editor-session.ts';
import type { Conversations, EditorAgent, EditorSessions } from './editor-sessions.ts';
import { internalError } from './request-errors.ts';

/** The options of `connectEditor`. */
export interface EditorOptions {
  /** The sessions that the editor can open: `localSessions`, or sessions of a server. */
  readonly sessions: EditorSessions;
  /** The variables with which the editor starts this program in a terminal, so that the user logs in there. Default: the editor cannot log in. */
  readonly login?: Readonly<Record<string, string>>;
  /** Deletes the login of the agent. Default: the editor cannot log out. */
  readonly logout?: () => Promise<void>;
  /** The name and the version that the editor shows. Default: `sjp`, and an empty version. */
  readonly info?: { readonly name: string; readonly version: string };
}

/**
 * Serves an editor that uses the Agent Client Protocol, version 1, with agents that use stream-json. Each message of the editor is a line of JSON.
 * When the connection closes, the connections to the agents are closed too.
 *
 * @example
 * ```ts
 * import { connectEditor, localSessions } from '@proto/acp';
 * import { createStdioTransport, stdio } from '@proto/transport-stdio';
 *
 * const sessions = localSessions({ start: ({ cwd, ...command }) => stdio('claude', { cwd })(command) });
 * await connectEditor(createStdioTransport(), { sessions }).closed;
 * ```
 */
export function connectEditor(transport: Transport, options: EditorOptions): acp.AgentConnection {
  return new EditorConnection(transport, options).connection;
}

/** The sessions of one connection. */
class EditorConnection {
  readonly connection: acp.AgentConnection;
  readonly #options: EditorOptions;
  readonly #sessions = new Map<string, EditorSession>();
  /** The last of the requests that open, close or delete a session, by the id of the session. */
  readonly #opening = new Map<string, Promise<unknown>>();
  #capabilities: acp.ClientCapabilities = {};

  constructor(transport: Transport, options: EditorOptions) {
    const { info, logout, sessions } = options;
    const { conversations } = sessions;
    this.#options = options;
    const app = agent({ name: info?.name ?? 'sjp' })
      .onRequest(methods.agent.initialize, ({ params }) => this.#initialize(params.clientCapabilities ?? {}))
      .onRequest(methods.agent.authenticate, () => ({}))
      .onRequest(methods.agent.session.new, ({ params }) => this.#create(params))
      .onRequest(methods.agent.session.resume, ({ params }) => this.#inTurn(params, () => this.#reopen(params, true)))
      .onRequest(methods.agent.session.prompt, ({ params }) => this.#session(params.sessionId).prompt(params.prompt))
      .onRequest(methods.agent.session.close, ({ params }) => this.#inTurn(params, () => this.#close(params.sessionId)))
      .onRequest(methods.agent.session.setMode, ({ params }) => this.#session(params.sessionId).setMode(params.modeId))
      .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
        this.#session(params.sessionId).setOption(params.configId, String(params.value)),
      )
      .onNotification(methods.agent.session.cancel, ({ params }) => this.#session(params.sessionId).cancel());
    if (conversations !== undefined)
      app
        .onRequest(methods.agent.session.load, ({ params }) => this.#inTurn(params, () => this.#reopen(params, false)))
        .onRequest(methods.agent.session.delete, ({ params }) =>
          this.#inTurn(params, () => this.#delete(params.sessionId, conversations)),
        )
        .onRequest(methods.agent.session.list, async ({ params }) => ({
          sessions: [...(await explained(conversations.list(params.cwd ?? undefined)))],
        }));
    if (logout !== undefined) app.onRequest(methods.agent.logout, () => explained(logout()));
    this.connection = app.connect(streamOver(transport));
    const closeAll = () => Promise.all([...this.#sessions.keys()].map((sessionId) => this.#close(sessionId)));
    void this.connection.closed.then(closeAll).catch(() => {});
  }

  #initialize(capabilities: acp.ClientCapabilities): acp.InitializeResponse {
    this.#capabilities = capabilities;
    const { info = { name: 'sjp', version: '' }, login, logout, sessions } = this.#options;
    const { isLocal, conversations } = sessions;
    const canLogIn = login !== undefined && capabilities.auth?.terminal === true;
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: info,
      agentCapabilities: {
        loadSession: conversations !== undefined,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: isLocal, sse: isLocal },
        sessionCapabilities: {
          ...(conversations && { list: {}, delete: {} }),
          resume: {},
          close: {},
          ...(isLocal && { additionalDirectories: {} }),
        },
        ...(logout && { auth: { logout: {} } }),
      },
      authMethods: canLogIn ? [{ type: 'terminal', id: 'login', name: 'Log in', env: { ...login } }] : [],
    };
  }

  /** @throws {RequestError} `-32002`, if the session is not open. */
  #session(sessionId: string): EditorSession {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  /** Opens, closes and deletes a session one after the other. */
  #inTurn<T>({ sessionId }: { readonly sessionId: string }, work: () => Promise<T>): Promise<T> {
    const done = (this.#opening.get(sessionId) ?? Promise.resolve()).then(work, work);
    const forget = () => this.#opening.get(sessionId) === done && this.#opening.delete(sessionId);
    done.then(forget, forget);
    this.#opening.set(sessionId, done);
    return done;
  }

  async #create(request: acp.NewSessionRequest): Promise<acp.NewSessionResponse> {
    const started = await explained(this.#options.sessions.create(request));
    const session = await this.#add(started, request.cwd);
    return { sessionId: session.sessionId, ...announced(session) };
  }

  /** The conversation is sent before the answer, as the protocol requires, unless it is hidden. */
  async #reopen(request: acp.ResumeSessionRequest, hidesHistory: boolean): Promise<acp.LoadSessionResponse> {
    const { sessionId, cwd } = request;
    const { open, conversations } = this.#options.sessions;
    const read = async () => (conversations?.read === undefined ? [] : explained(conversations.read(sessionId, cwd)));
    if ((await read()) === undefined) throw RequestError.sessionNotFound(sessionId);
    if (this.#sessions.has(sessionId)) await this.#close(sessionId);
    // An agent that was running may have written to the conversation until it ended.
    const history = (await read()) ?? [];
    const started = await explained(open(sessionId, request));
    if (started === undefined) throw RequestError.sessionNotFound(sessionId);
    const session = await this.#add(started, cwd, hidesHistory);
    await session.replay(history).catch(async (error: unknown) => {
      this.#sessions.delete(sessionId);
      await session.close();
      throw internalError(error, 'the conversation cannot be read: ');
    });
    return announced(session);
  }

  async #close(sessionId: string): Promise<void> {
    const session = this.#session(sessionId);
    this.#sessions.delete(sessionId);
    await session.close();
  }

  async #delete(sessionId: string, conversations: Conversations): Promise<void> {
    if (this.#sessions.has(sessionId)) await this.#close(sessionId);
    await explained(conversations.delete(sessionId));
  }

  async #add(started: EditorAgent, cwd: string, hidesHistory = false): Promise<EditorSession> {
    const { client } = this.connection;
    const clientCapabilities = this.#capabilities;
    const session = new EditorSession({ ...started, cwd, client, clientCapabilities, hidesHistory });
    this.#sessions.set(started.sessionId, session);
    try {
      await session.opened();
      this.connection.signal.throwIfAborted();
    } catch (error) {
      this.#sessions.delete(started.sessionId);
      await session.close();
      throw error;
    }
    return session;
  }
}

function explained<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => Promise.reject(internalError(error)));
}

/** The answer that opens a session. What follows is sent in a later task, because editors expect it after this answer. */
function announced(session: EditorSession): acp.LoadSessionResponse {
  setTimeout(() => void session.announce().catch(() => {}));
  const { modes, configOptions } = session;
  return { modes, configOptions };
}
