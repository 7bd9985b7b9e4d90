import { ControlError, type ControlRequest } from '@proto/core';
import { isRecord, within } from '@proto/core/internal';
import type { HostWire } from '../host-wire.ts';
import { type InProcessMcpServer, McpLink, type McpMessage } from './mcp-link.ts';

/** MCP servers that run in this program, by name. */
export type InProcessMcpServers = Readonly<Record<string, InProcessMcpServer>>;

// If a server has not answered by then, the agent performs the handshake with it.
const MANIFEST_TIMEOUT_MS = 10_000;

export class McpServers {
  readonly #wire: HostWire;
  #links: Map<string, McpLink> | undefined;
  #manifests: Promise<object> | undefined;

  constructor(wire: HostWire, servers: InProcessMcpServers = {}) {
    this.#wire = wire;
    this.#connect(servers);
    wire.serve({ mcp_message: (request) => this.#receive(request) });
  }

  get names(): readonly string[] {
    return this.#links === undefined ? [] : [...this.#links.keys()];
  }

  /** Also notifies the agent. The links of the previous servers are closed. */
  replace(servers: InProcessMcpServers): Promise<unknown> {
    for (const link of this.#links?.values() ?? []) void link.close();
    this.#links = undefined;
    this.#manifests = undefined;
    this.#connect(servers);
    const configs = Object.fromEntries(Object.keys(servers).map((name) => [name, { type: 'sdk', name }]));
    return this.#wire.ask({ subtype: 'mcp_set_servers', servers: configs });
  }

  /**
   * Returns the description of each server that answers within 10 seconds, by name. Each server is asked only once, so that no server gets a second
   * handshake.
   */
  manifests(): Promise<object> {
    this.#manifests ??= manifestsOf(this.#links ?? new Map());
    return this.#manifests;
  }

  #connect(servers: InProcessMcpServers): void {
    for (const [name, server] of Object.entries(servers)) {
      const sendToAgent = (message: McpMessage) =>
        this.#wire.ask({ subtype: 'mcp_message', server_name: name, message });
      this.#links ??= new Map();
      this.#links.set(name, new McpLink(server, sendToAgent));
    }
  }

  async #receive({ server_name: name, message }: ControlRequest): Promise<unknown> {
    const link = this.#links?.get(String(name));
    if (link === undefined) throw new ControlError(`SDK MCP server not found: ${String(name)}`);
    if (!isRecord(message)) throw new ControlError('the mcp_message request must contain a message');
    return { mcp_response: await link.receive(message as unknown as McpMessage) };
  }
}

async function manifestsOf(links: ReadonlyMap<string, McpLink>): Promise<object> {
  const entries = Array.from(links, async ([name, link]) => {
    const manifest = link.manifest().catch(() => undefined);
    return [name, await within(MANIFEST_TIMEOUT_MS, manifest)] as const;
  });
  // JSON leaves out undefined descriptions.
  return Object.fromEntries(await Promise.all(entries));
}
