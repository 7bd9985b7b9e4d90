import { client, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type * as acp from '@agentclientprotocol/sdk';
import { sleep } from '@proto/core/network';
import type { Transport } from '@proto/core/transport';
import { AgentSettings } from './agent-settings.ts';
import { streamOver } from '../transport-stream.ts';

/** Reads and writes the files that an agent asks for. A refused request rejects. */
export interface ClientFiles {
  /** Returns the text of a file. `line` is the first line, from 1, and `limit` the number of lines. Default: the whole file. */
  read(
    path: string,
    part: { readonly line?: number | undefined; readonly limit?: number | undefined },
  ): Promise<string>;
  /** Writes a file, and creates its folders. */
  write(path: string, text: string): Promise<void>;
}

/** Handles what the agent sends while a turn runs. */
export interface TurnHandler {
  update(update: acp.SessionUpdate): void;
  requestPermission(request: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse>;
  elicit(request: acp.CreateElicitationRequest): Promise<acp.CreateElicitationResponse>;
}

export interface ConnectedAgentOptions {
  readonly transport: Transport;
  readonly cwd: string;
  readonly additionalDirectories: string[];
  readonly files: ClientFiles | undefined;
  /** The way to log in, one of those that the agent lists. Undefined if the agent needs no login. */
  readonly authMethod: string | undefined;
  /** Called with an update that arrives while no turn runs. */
  readonly onLateUpdate: (update: acp.SessionUpdate) => void;
  /** Called with the new mode when the agent has changed its mode. */
  readonly onModeChange: (mode: string) => void;
}

const AUTH_REQUIRED = -32000;
/** How long an agent may take to end a turn that was cancelled. */
const CANCEL_MS = 10_000;
const CANCELLED = Promise.resolve({ stopReason: 'cancelled' } as const);

/** A connection to an agent of the Agent Client Protocol, with one session. */
export class ConnectedAgent {
  readonly settings = new AgentSettings();
  /** Empty before the session is open. */
  sessionId = '';
  readonly #options: ConnectedAgentOptions;
  readonly #connection: acp.ClientConnection;
  #initialized: acp.InitializeResponse = { protocolVersion: PROTOCOL_VERSION };
  #turn: TurnHandler | undefined;
  /** While an old conversation is loaded, the agent sends the whole conversation. */
  #isLoading = false;

  constructor(options: ConnectedAgentOptions) {
    this.#options = options;
    const { files } = options;
    const app = client({ name: 'sjp' })
      .onNotification(methods.client.session.update, ({ params }) => this.#take(params.update))
      .onRequest(
        methods.client.session.requestPermission,
        ({ params }) => this.#turn?.requestPermission(params) ?? { outcome: { outcome: 'cancelled' } },
      )
      .onRequest(
        methods.client.elicitation.create,
        ({ params }) => this.#turn?.elicit(params) ?? { action: 'cancel' as const },
      );
    if (files !== undefined)
      app
        .onRequest(methods.client.fs.readTextFile, async ({ params: { path, line, limit } }) => ({
          content: await files.read(path, { line: line ?? undefined, limit: limit ?? undefined }),
        }))
        .onRequest(methods.client.fs.writeTextFile, async ({ params: { path, content } }) => {
          await files.write(path, content);
          return {};
        });
    this.#connection = app.connect(streamOver(options.transport));
  }

  /** The kinds of content that the agent reads in a prompt, in addition to text. */
  get promptCapabilities(): acp.PromptCapabilities {
    return this.#initialized.agentCapabilities?.promptCapabilities ?? {};
  }

  get name(): string {
    const { agentInfo } = this.#initialized;
    return agentInfo?.title ?? agentInfo?.name ?? 'The agent';
  }

  /** @throws if the agent cannot be started, or uses another version of the protocol. */
  async initialize(): Promise<void> {
    await this.#options.transport.opened;
    const hasFiles = this.#options.files !== undefined;
    const asked = this.#connection.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'sjp', version: '' },
      clientCapabilities: {
        fs: { readTextFile: hasFiles, writeTextFile: hasFiles },
        terminal: false,
        elicitation: { form: {} },
        session: { compaction: {}, notices: {} },
      },
    });
    this.#initialized = await asked.catch(async (error: unknown) => Promise.reject(await this.#explained(error)));
    const { protocolVersion: version } = this.#initialized;
    if (version !== PROTOCOL_VERSION)
      throw new Error(`The agent uses version ${version} of the Agent Client Protocol: use an agent with version 1.`);
  }

  /** Opens a new session, or the session with the given id. @throws if the agent cannot open it, for example because it requires a login. */
  async open(mcpServers: acp.McpServer[], sessionId: string | undefined): Promise<void> {
    const { authMethod, cwd, additionalDirectories } = this.#options;
    const { agent } = this.#connection;
    const { sessionCapabilities, loadSession } = this.#initialized.agentCapabilities ?? {};
    const canAdd = sessionCapabilities?.additionalDirectories;
    const request: acp.NewSessionRequest = { cwd, mcpServers, ...(canAdd ? { additionalDirectories } : {}) };
    if (authMethod !== undefined) await agent.request(methods.agent.authenticate, { methodId: authMethod });
    try {
      if (sessionId === undefined) {
        const answer = await agent.request(methods.agent.session.new, request);
        this.sessionId = answer.sessionId;
        return this.settings.open(answer);
      }
      if (!sessionCapabilities?.resume && loadSession !== true)
        throw new Error(`${this.name} cannot continue an earlier session: start a new one.`);
      const method = sessionCapabilities?.resume ? methods.agent.session.resume : methods.agent.session.load;
      this.#isLoading = true;
      this.sessionId = sessionId;
      this.settings.open((await agent.request(method, { ...request, sessionId })) ?? {});
    } catch (error) {
      throw await this.#explained(error);
    } finally {
      this.#isLoading = false;
    }
  }

  /**
   * Runs a turn. When the signal aborts, the agent is asked to cancel the turn. An agent that does not end the turn within 10 seconds after that is not
   * awaited.
   */
  async prompt(prompt: acp.ContentBlock[], turn: TurnHandler, signal: AbortSignal): Promise<acp.PromptResponse> {
    const { sessionId } = this;
    const { agent } = this.#connection;
    this.#turn = turn;
    try {
      const answer = agent.request(methods.agent.session.prompt, { sessionId, prompt });
      await sleep({ ms: Infinity, signal }, answer).catch(() => {});
      if (!signal.aborted) return await answer;
      await agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
      await sleep({ ms: CANCEL_MS }, answer);
      return await Promise.race([answer, CANCELLED]);
    } catch (error) {
      throw await this.#explained(error);
    } finally {
      this.#turn = undefined;
    }
  }

  async setMode(modeId: string): Promise<void> {
    await this.#connection.agent.request(methods.agent.session.setMode, { sessionId: this.sessionId, modeId });
    this.settings.take({ sessionUpdate: 'current_mode_update', currentModeId: modeId });
  }

  /** @throws if the agent does not offer the model. */
  async setModel(model: string): Promise<void> {
    const offered = this.settings.models;
    if (!offered.some(({ value }) => value === model)) {
      const names = offered.map(({ value }) => `"${value}"`).join(', ');
      throw new Error(`${this.name} does not offer the model "${model}"${names && `: use one of ${names}`}.`);
    }
    const { sessionId } = this;
    const { agent } = this.#connection;
    const { modelOption: configId } = this.settings;
    if (configId === undefined) {
      await agent.request('session/set_model', { sessionId, modelId: model });
      this.settings.model = model;
    } else {
      const change: acp.SetSessionConfigOptionRequest = { sessionId, configId, value: model };
      const { configOptions } = await agent.request(methods.agent.session.setConfigOption, change);
      this.settings.model = model;
      this.settings.take({ sessionUpdate: 'config_option_update', configOptions });
    }
  }

  async close(): Promise<void> {
    this.#connection.close();
    await this.#options.transport.close();
  }

  #take(update: acp.SessionUpdate): void {
    const isSetting = this.settings.take(update);
    if (update.sessionUpdate === 'current_mode_update') this.#options.onModeChange(update.currentModeId);
    if (isSetting || this.#isLoading) return;
    if (this.#turn === undefined) this.#options.onLateUpdate(update);
    else this.#turn.update(update);
  }

  /** Adds to an error why it happened, and what the user can do. */
  async #explained(error: unknown): Promise<unknown> {
    if (this.#connection.signal.aborted) {
      const { error: reason, status } = await this.#options.transport.closed;
      const how = reason?.message ?? (status === undefined ? 'it closed the connection' : `exit code ${status}`);
      return new Error(`${this.name} has ended: ${how}`, { cause: reason ?? error });
    }
    if (!(error instanceof RequestError)) return error;
    if (error.code !== AUTH_REQUIRED) return new Error(`${this.name}: ${error.message}`, { cause: error });
    const ways = (this.#initialized.authMethods ?? []).map(({ id, name }) => `"${id}" (${name})`).join(', ');
    return new Error(`${this.name} requires a login${ways && `: log in with the agent, or choose ${ways}`}.`, {
      cause: error,
    });
  }
}
