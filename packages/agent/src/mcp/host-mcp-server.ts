import type { PendingRequests, RequestOptions } from '@proto/core';
import { callBack, checkMcpAnswer, isRecord, type JSONRPCMessage, onAbort, schemaOf } from '@proto/core/internal';

/** A tool as the Messages API and MCP describe it. */
export interface ToolDefinition {
  readonly name: string;
  readonly [member: string]: unknown;
}

/** An MCP server that lives in the host. */
export interface HostMcpServer {
  readonly name: string;
  /** `pending` until its handshake is done. */
  readonly status: 'pending' | 'connected' | 'failed';
  readonly serverInfo: unknown;
  /** As `tools/list` gives them; read anew when the server says that they have changed. */
  readonly tools: readonly ToolDefinition[];
  /** Hears what the server says unasked: progress, log messages, changed lists. */
  onMessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Calls a tool and gives its result. Rejects with the server's error, and at once when the signal, or the turn's, aborts. */
  callTool(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: { readonly toolUseID: string; readonly signal?: AbortSignal },
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sends any message of MCP and gives the answer, none for a notification. A request that is aborted is cancelled at the server, and
   * rejects at once.
   */
  send(message: JSONRPCMessage, options?: { readonly signal?: AbortSignal }): Promise<JSONRPCMessage | undefined>;
}

/** How a server of the host is reached, and how it was introduced. */
export interface HostMcpServerOptions {
  readonly session: Pick<PendingRequests, 'request'>;
  /** Under which signal the running turn asks; what it gives for a signal of the turn goes off ahead of that. */
  readonly asking: (signal: AbortSignal | undefined) => AbortSignal | undefined;
  /** The handshake waits for it. Default: begins at once. */
  readonly start?: Promise<void> | undefined;
  /** Results of a handshake that the host has made itself. */
  readonly manifest?: Readonly<Record<string, unknown>> | undefined;
}

/** What published agents speak. */
const MCP_PROTOCOL_VERSION = '2025-11-25';
// A server that never answers must not keep the session from its first turn.
const HANDSHAKE_TIMEOUT_MS = 30_000;

/** One server of the host over the whole session. */
export class HostMcpConnection implements HostMcpServer {
  readonly name: string;
  status: HostMcpServer['status'] = 'pending';
  serverInfo: unknown;
  tools: readonly ToolDefinition[] = [];
  onMessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Fulfils when `initialize` of MCP is answered, or has failed. */
  readonly introduced: Promise<void>;
  /** Fulfils when its tools are known, or it has failed. */
  readonly ready: Promise<void>;
  readonly #options: HostMcpServerOptions;
  // Beside the turn: an interrupt that comes meanwhile is none of its business.
  readonly #shake = (message: JSONRPCMessage) =>
    sendMcpMessage(this.#options.session, this.name, message, { timeoutMs: HANDSHAKE_TIMEOUT_MS });
  #lastId = -1;

  constructor(name: string, options: HostMcpServerOptions) {
    this.name = name;
    this.#options = options;
    this.introduced = this.#introduce(options);
    this.ready = this.#complete(options.manifest);
  }

  callTool(
    name: string,
    input: Readonly<Record<string, unknown>>,
    { toolUseID, signal }: { readonly toolUseID: string; readonly signal?: AbortSignal },
  ): Promise<Readonly<Record<string, unknown>>> {
    const _meta = { 'claudecode/toolUseId': toolUseID, progressToken: this.#lastId + 1 };
    return this.request('tools/call', { name, arguments: input, _meta }, signal);
  }

  /** Sends a request of MCP and gives its result; rejects with the server's error. */
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

  /** Takes what the server says unasked. */
  receive(message: JSONRPCMessage): void {
    if (message.method === 'notifications/tools/list_changed') this.#listAgain();
    callBack(() => this.onMessage?.(message));
  }

  // By MCP's own notification: the request it came in stays open, and its answer is of no interest.
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
      const clientInfo = { name: '@proto/core', version: '0.0.0' };
      const params = { protocolVersion: MCP_PROTOCOL_VERSION, capabilities: {}, clientInfo };
      const result = isRecord(known) ? known : await this.#request('initialize', params);
      // The ids below are the host's: it has used them in the handshake.
      if (isRecord(known)) this.#lastId = 1;
      this.serverInfo = result['serverInfo'];
    } catch {
      this.status = 'failed';
    }
  }

  async #complete(manifest: Readonly<Record<string, unknown>> | undefined): Promise<void> {
    await this.introduced;
    if (this.status === 'failed') return;
    // With what a manifest tells there is nothing to be said.
    if (manifest === undefined) await afterAnswers();
    try {
      const listed = manifest?.['toolsListResult'];
      if (manifest === undefined) await this.#shake({ jsonrpc: '2.0', method: 'notifications/initialized' });
      if (isRecord(listed)) this.#takeTools(listed);
      else await this.#list();
      this.status = 'connected';
    } catch {
      this.status = 'failed';
    }
  }

  #listAgain(): void {
    void afterAnswers()
      .then(() => this.#list())
      .catch(() => {});
  }

  async #list(): Promise<void> {
    this.#takeTools(await this.#request('tools/list'));
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

function isTool(value: unknown): value is ToolDefinition {
  return isRecord(value) && typeof value['name'] === 'string';
}

// Whatever it answers is for the MCP client, which knows what it has asked.
const mcpAnswer = schemaOf(checkMcpAnswer);

/**
 * Sends a message of MCP to a server that lives in the host, and gives the server's answer. Hosts acknowledge a notification with
 * an empty result, or with none.
 */
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

/** Fulfils after the answers to the requests that are settled by now: hosts expect an answer before the messages that it causes. */
export function afterAnswers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
