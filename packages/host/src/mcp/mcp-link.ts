import { isRecord } from '@proto/core/internal';

/** A message of MCP: JSON-RPC, parsed, not validated. */
export interface McpMessage {
  readonly jsonrpc: '2.0';
  readonly [member: string]: unknown;
}

/** How a server within this program hears and speaks: the transport interface of `@modelcontextprotocol/sdk`, as far as it is used. */
export interface McpTransport {
  start(): Promise<void>;
  // oxlint-disable-next-line typescript/no-explicit-any -- the server's own types of a message and of what comes with it
  send(message: any, options?: any): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  onmessage?: ((message: any, extra?: any) => void) | undefined;
}

/** An MCP server within this program: an `McpServer` of `@modelcontextprotocol/sdk` is one. */
export interface InProcessMcpServer {
  connect(transport: McpTransport): Promise<unknown>;
  close?(): Promise<unknown>;
}

/** What the agent is told of a server at the start, so that it need not ask. */
export interface McpManifest {
  readonly initializeResult: Readonly<Record<string, unknown>>;
  readonly toolsListResult?: Readonly<Record<string, unknown>>;
}

// What published agents speak; a server answers with the version it has.
const PROTOCOL_VERSION = '2025-11-25';

/** The way between the agent and one server within this program. */
export class McpLink implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown) => void) | undefined;
  readonly #tell: (message: McpMessage) => Promise<unknown>;
  readonly #answers = new Map<unknown, (answer: McpMessage) => void>();
  readonly connected: Promise<unknown>;
  #isClosed = false;

  /** `tell` sends a message of the server to the agent. */
  constructor(server: InProcessMcpServer, tell: (message: McpMessage) => Promise<unknown>) {
    this.#tell = tell;
    this.connected = server.connect(this);
    this.connected.catch(() => {});
  }

  async start(): Promise<void> {}

  /** A server that was closed, or replaced by another one, answers nothing any more: what the agent asked of it has its answer here. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const id of this.#answers.keys()) this.#settle(id, closedError(id));
    this.onclose?.();
  }

  /** A tool that tells something does not wait until the agent has acknowledged it: no agent need do that. */
  async send(message: McpMessage): Promise<void> {
    if (!('method' in message)) this.#settle(message['id'], message);
    else if (message['id'] !== undefined) await this.#tell(message);
    else this.#tell(message).catch((error: Error) => this.onerror?.(error));
  }

  /** Gives the server a message of the agent, and the agent its answer: to what is no request, an empty one. */
  async receive(message: McpMessage): Promise<McpMessage> {
    await this.connected;
    const { id, method, params } = message;
    if (method === undefined || id === undefined) {
      this.onmessage?.(message);
      // A server does not answer what was cancelled, and the agent no longer listens; yet every request is answered.
      if (method === 'notifications/cancelled' && isRecord(params)) {
        const { requestId } = params;
        this.#settle(requestId, { jsonrpc: '2.0', id: requestId, error: { code: -32800, message: 'cancelled' } });
      }
      return { jsonrpc: '2.0', result: {}, id: 0 };
    }
    if (this.#isClosed) return closedError(id);
    // The server's answer could be that to either, and the earlier request would wait for ever.
    this.#settle(id, { jsonrpc: '2.0', id, error: { code: -32600, message: 'another request has the same id' } });
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.onmessage?.(message);
    });
  }

  /** Makes the acquaintance of the server, as a client does. Without an answer that holds there is nothing to tell. */
  async manifest(): Promise<McpManifest | undefined> {
    const clientInfo = { name: '@proto/core', version: '0.0.0' };
    const initializeResult = await this.#ask(0, 'initialize', {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo,
    });
    if (initializeResult === undefined) return undefined;
    await this.receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const toolsListResult = await this.#ask(1, 'tools/list', {});
    return { initializeResult, ...(toolsListResult && { toolsListResult }) };
  }

  async #ask(id: number, method: string, params: object): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { result } = await this.receive({ jsonrpc: '2.0', id, method, params });
    return isRecord(result) ? result : undefined;
  }

  #settle(id: unknown, answer: McpMessage): void {
    this.#answers.get(id)?.(answer);
    this.#answers.delete(id);
  }
}

function closedError(id: unknown): McpMessage {
  return { jsonrpc: '2.0', id, error: { code: -32000, message: 'the server was closed' } };
}
