import { isRecord, VERSION } from '@proto/core/internal';

/** An MCP message: parsed JSON-RPC, not validated. */
export interface McpMessage {
  readonly jsonrpc: '2.0';
  readonly [member: string]: unknown;
}

/**
 * The transport of an MCP server that runs in this program: the members of the `Transport` interface in `@modelcontextprotocol/sdk` that are needed
 * here.
 */
export interface McpTransport {
  /** Starts the transport. The server calls `start` once, in `connect`, after setting the callbacks. */
  start(): Promise<void>;
  /** Sends a message from the server to the agent: a JSON-RPC request, notification or answer. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the server's own types of a message and its details
  send(message: any, options?: any): Promise<void>;
  /** Closes the link. The agent's open requests are answered with an error. A second call does nothing. */
  close(): Promise<void>;
  /** Set by the server. Called once, when the link is closed. */
  onclose?: (() => void) | undefined;
  /** Set by the server. Called when a notification from the server could not be sent. */
  onerror?: ((error: Error) => void) | undefined;
  /** Set by the server. Called with each message from the agent to the server. The message is parsed JSON-RPC and is not validated. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  onmessage?: ((message: any, extra?: any) => void) | undefined;
}

/** An MCP server that runs in this program, such as an `McpServer` of `@modelcontextprotocol/sdk`. */
export interface InProcessMcpServer {
  /** Connects the server: sets the callbacks of the transport and starts it. Called each time the server is given to a session. */
  connect(transport: McpTransport): Promise<unknown>;
  /** Closes the server. Sessions never call this method, but close the transport instead. */
  close?(): Promise<unknown>;
}

/** The handshake answers of an MCP server. The agent receives them at the start, so that it need not repeat the handshake. */
export interface McpManifest {
  readonly initializeResult: Readonly<Record<string, unknown>>;
  readonly toolsListResult?: Readonly<Record<string, unknown>>;
}

// The MCP version that published agents use. A server answers with the version that it supports.
const PROTOCOL_VERSION = '2025-11-25';

export class McpLink implements McpTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: unknown) => void) | undefined;
  readonly #sendToAgent: (message: McpMessage) => Promise<unknown>;
  readonly #answers = new Map<unknown, (answer: McpMessage) => void>();
  readonly connected: Promise<unknown>;
  #isClosed = false;

  constructor(server: InProcessMcpServer, sendToAgent: (message: McpMessage) => Promise<unknown>) {
    this.#sendToAgent = sendToAgent;
    this.connected = server.connect(this);
    this.connected.catch(() => {});
  }

  async start(): Promise<void> {}

  /** A closed or replaced server no longer answers, so this method answers the agent's open requests with an error. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const id of this.#answers.keys()) this.#settle(id, closedError(id));
    this.onclose?.();
  }

  /** A notification does not wait for an acknowledgement, because agents need not send one. */
  async send(message: McpMessage): Promise<void> {
    if (!('method' in message)) this.#settle(message['id'], message);
    else if (message['id'] !== undefined) await this.#sendToAgent(message);
    else this.#sendToAgent(message).catch((error: Error) => this.onerror?.(error));
  }

  /** The answer is empty if the message is not a request. */
  async receive(message: McpMessage): Promise<McpMessage> {
    await this.connected;
    const { id, method, params } = message;
    if (method === undefined || id === undefined) {
      this.onmessage?.(message);
      // A server does not answer a cancelled request, and the agent no longer waits for the answer. The control request still needs an answer.
      if (method === 'notifications/cancelled' && isRecord(params)) {
        const { requestId } = params;
        this.#settle(requestId, { jsonrpc: '2.0', id: requestId, error: { code: -32800, message: 'cancelled' } });
      }
      return { jsonrpc: '2.0', result: {}, id: 0 };
    }
    if (this.#isClosed) return closedError(id);
    // The server's answer could belong to either request, so the earlier request might never be answered.
    this.#settle(id, { jsonrpc: '2.0', id, error: { code: -32600, message: 'another open request has the same id' } });
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.onmessage?.(message);
    });
  }

  /** Initializes the server as an MCP client does. Returns `undefined` if the answer is not usable. */
  async manifest(): Promise<McpManifest | undefined> {
    const clientInfo = { name: '@proto/core', version: VERSION };
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
