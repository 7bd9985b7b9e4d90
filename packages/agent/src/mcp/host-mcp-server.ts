import type { PendingRequests, RequestOptions } from '@proto/core';
import { callBack, checkMcpAnswer, isRecord, onAbort, schemaOf, textError, VERSION } from '@proto/core/internal';
import type { JSONRPCMessage } from '@proto/core/messages';
import { type McpPrompt, promptsIn } from './mcp-prompt.ts';

/** A tool, as described in the Messages API and in MCP. */
export interface ToolDefinition {
  /** The name of the tool. In `Turn.tools`, the names of an MCP server's tools begin with `mcp__SERVER__`. */
  readonly name: string;
  /** Further members, such as `description`, `input_schema` or `inputSchema`. All further members are passed on unchanged. */
  readonly [member: string]: unknown;
}

/** An MCP server that runs in the host. */
export interface HostMcpServer {
  /** The name that the host has given to the server. The tools of the server are called `mcp__NAME__TOOL`. */
  readonly name: string;
  /** The state of the server: `pending` until its handshake is done. */
  readonly status: 'pending' | 'connected' | 'failed';
  /** The unchecked `serverInfo` from the server's answer to the `initialize` request of MCP. Undefined before the answer. */
  readonly serverInfo: unknown;
  /** The tools of the server, from `tools/list`. When the server reports that its tools have changed, the list is read again. */
  readonly tools: readonly ToolDefinition[];
  /** Called with messages that the server sends on its own initiative: progress, log messages and notices of changed lists. */
  onMessage?: ((message: JSONRPCMessage) => void) | undefined;
  /**
   * Calls a tool and returns its result. `toolUseID` is the id of the `tool_use` block. Default: a new UUID. Rejects with the server's error, or
   * immediately if the given signal or the turn's signal aborts.
   */
  callTool(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options?: { readonly toolUseID?: string; readonly signal?: AbortSignal },
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sends any MCP message and returns the answer, or `undefined` for a notification. If the signal aborts, the returned promise rejects
   * immediately, and the server is asked to cancel the request.
   */
  send(message: JSONRPCMessage, options?: { readonly signal?: AbortSignal }): Promise<JSONRPCMessage | undefined>;
}

export interface HostMcpServerOptions {
  readonly session: Pick<PendingRequests, 'request'>;
  /** Combines the given signal with the signal that cancels the questions of the running turn. */
  readonly asking: (signal: AbortSignal | undefined) => AbortSignal | undefined;
  /** The handshake begins when this promise fulfils. Default: the handshake begins immediately. */
  readonly start?: Promise<void> | undefined;
  /** Called after the server has reported changed prompts and the prompts have been read again. */
  readonly onPrompts?: (() => void) | undefined;
  /** The results of a handshake that the host itself performed. */
  readonly manifest?: Readonly<Record<string, unknown>> | undefined;
}

/** The MCP version that published agents use. */
const MCP_PROTOCOL_VERSION = '2025-11-25';
// A server that never answers must not delay the first turn forever.
const HANDSHAKE_TIMEOUT_MS = 30_000;
// A server that never lists its prompts must not delay the answer to `initialize` forever.
const PROMPTS_TIMEOUT_MS = 5000;

export class HostMcpConnection implements HostMcpServer {
  readonly name: string;
  status: HostMcpServer['status'] = 'pending';
  serverInfo: unknown;
  tools: readonly ToolDefinition[] = [];
  /** Empty for a server that does not declare prompts. */
  prompts: readonly McpPrompt[] = [];
  onMessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Fulfils when the `initialize` request of MCP has been answered or has failed. */
  readonly introduced: Promise<void>;
  /** Fulfils when the tools of the server are known, or the server has failed. */
  readonly ready: Promise<void>;
  readonly #options: HostMcpServerOptions;
  // Sent without a turn's signal, because an interrupt must not end the handshake.
  readonly #shake = (message: JSONRPCMessage) =>
    sendMcpMessage(this.#options.session, this.name, message, { timeoutMs: HANDSHAKE_TIMEOUT_MS });
  #lastId = -1;
  /** Whether the MCP handshake is done, by this agent or by the host. */
  #isInitialized = false;
  #willListAgain = false;
  readonly #newestTools = new Newest();
  readonly #newestPrompts = new Newest();

  constructor(name: string, options: HostMcpServerOptions) {
    this.name = name;
    this.#options = options;
    this.introduced = this.#introduce(options);
    this.ready = this.#complete(options.manifest);
  }

  callTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    { toolUseID = crypto.randomUUID(), signal }: { readonly toolUseID?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const wrong = textError(name, 'the name of the tool', "callTool('add', input)");
    if (wrong !== undefined) return Promise.reject(wrong);
    const _meta = { 'claudecode/toolUseId': toolUseID, progressToken: this.#lastId + 1 };
    return this.request('tools/call', { name, arguments: input, _meta }, signal);
  }

  /** Rejects with the server's error. */
  request(
    method: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    return this.#request(method, params, (call) => this.send(call, signal && { signal }));
  }

  async send(
    message: JSONRPCMessage,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<JSONRPCMessage | undefined> {
    const abort = this.#options.asking(signal);
    abort?.throwIfAborted();
    const answer = sendMcpMessage(this.#options.session, this.name, message);
    if (abort === undefined) return answer;
    let forget = () => {};
    const aborted = new Promise<never>((_resolve, reject) => {
      forget = onAbort(abort, () => {
        this.#cancel(message);
        reject(abort.reason);
      });
    });
    try {
      return await Promise.race([answer, aborted]);
    } finally {
      forget();
    }
  }

  receive(message: JSONRPCMessage): void {
    if (message.method === 'notifications/prompts/list_changed') void this.#listPromptsAgain();
    if (message.method === 'notifications/tools/list_changed') void this.#listAgain();
    callBack(() => this.onMessage?.(message));
  }

  // Sends the MCP notification that cancels a request. The control request stays open, and its answer is ignored.
  #cancel({ id, method }: JSONRPCMessage): void {
    if (method === undefined || id === undefined) return;
    const params = { requestId: id, reason: 'AbortError: the turn was interrupted' };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params } as const;
    void sendMcpMessage(this.#options.session, this.name, cancelled).catch(() => {});
  }

  async #introduce({ manifest, start }: HostMcpServerOptions): Promise<void> {
    if (start !== undefined) await start;
    try {
      const known = manifest?.['initializeResult'];
      const clientInfo = { name: '@proto/core', version: VERSION };
      const params = { protocolVersion: MCP_PROTOCOL_VERSION, capabilities: {}, clientInfo };
      const result = isRecord(known) ? known : await this.#request('initialize', params);
      // The host has used the lower ids in its own handshake.
      if (isRecord(known)) [this.#lastId, this.#isInitialized] = [1, true];
      this.serverInfo = result['serverInfo'];
      // The prompts are read now, because the answer to the host's `initialize` lists them as commands.
      if (member(result['capabilities'], 'prompts') !== undefined) {
        if (!isRecord(known)) await this.#sendInitialized();
        await this.#listPrompts();
        if (start !== undefined) this.#options.onPrompts?.();
      }
    } catch {
      this.status = 'failed';
    }
  }

  async #complete(manifest: Readonly<Record<string, unknown>> | undefined): Promise<void> {
    await this.introduced;
    if (this.status === 'failed') return;
    // A manifest replaces the handshake, so nothing is sent.
    if (manifest === undefined) await afterAnswers();
    try {
      const listed = manifest?.['toolsListResult'];
      if (manifest === undefined) await this.#sendInitialized();
      if (isRecord(listed)) this.#takeTools(listed);
      else await this.#list();
      this.status = 'connected';
    } catch {
      this.status = 'failed';
    }
  }

  /**
   * Waits for the end of the handshake, because the server may report a change during the handshake. Several changes that arrive before the request
   * is sent cause only one request.
   */
  async #listAgain(): Promise<void> {
    if (this.#willListAgain) return;
    this.#willListAgain = true;
    await this.ready;
    await afterAnswers();
    this.#willListAgain = false;
    if (!this.#isInitialized) return;
    try {
      await this.#list();
      this.status = 'connected';
    } catch {
      // The server keeps the tools that it had.
    }
  }

  async #listPromptsAgain(): Promise<void> {
    await this.ready;
    if (!this.#isInitialized) return;
    await this.#listPrompts();
    this.#options.onPrompts?.();
  }

  /** Only the first call sends the notification. */
  async #sendInitialized(): Promise<void> {
    if (this.#isInitialized) return;
    this.#isInitialized = true;
    await this.#shake({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** A server that cannot list its prompts counts as a server without prompts, but its tools can still be used. */
  async #listPrompts(): Promise<void> {
    const options = { timeoutMs: PROMPTS_TIMEOUT_MS };
    const listed = this.#request('prompts/list', undefined, (message) =>
      sendMcpMessage(this.#options.session, this.name, message, options),
    );
    const read = listed.then(promptsIn).catch(() => []);
    await this.#newestPrompts.take(read, (prompts) => (this.prompts = prompts));
  }

  async #list(): Promise<void> {
    await this.#newestTools.take(this.#request('tools/list'), (listed) => this.#takeTools(listed));
  }

  #takeTools({ tools }: Readonly<Record<string, unknown>>): void {
    this.tools = (Array.isArray(tools) ? tools : []).filter(isTool);
  }

  async #request(
    method: string,
    params?: Record<string, unknown>,
    send = this.#shake,
  ): Promise<Readonly<Record<string, unknown>>> {
    const answer = await send({ jsonrpc: '2.0', id: ++this.#lastId, method, ...(params && { params }) });
    if (answer?.error !== undefined) throw new Error(answer.error.message);
    return answer?.result ?? {};
  }
}

/** An answer that arrives after the answer to a later request is ignored. */
class Newest {
  #asked = 0;
  #taken = 0;

  async take<T>(answer: Promise<T>, use: (value: T) => void): Promise<void> {
    const order = ++this.#asked;
    const value = await answer;
    if (order < this.#taken) return;
    this.#taken = order;
    use(value);
  }
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function isTool(value: unknown): value is ToolDefinition {
  return isRecord(value) && typeof value['name'] === 'string';
}

// Only the MCP client knows which request was answered, so the content of the answer is not checked here.
const mcpAnswer = schemaOf(checkMcpAnswer);

/** Hosts acknowledge a notification with an empty result, or without a result. */
export async function sendMcpMessage(
  session: Pick<PendingRequests, 'request'>,
  server: string,
  message: JSONRPCMessage,
  options: Pick<RequestOptions, 'signal' | 'timeoutMs'> = {},
): Promise<JSONRPCMessage | undefined> {
  const request = { subtype: 'mcp_message', server_name: server, message };
  const answer = await session.request(request, { ...options, schema: mcpAnswer });
  return answer.mcp_response;
}

/** Fulfils when the answers to all settled requests have been sent, because hosts expect an answer before the messages that the request causes. */
export function afterAnswers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
