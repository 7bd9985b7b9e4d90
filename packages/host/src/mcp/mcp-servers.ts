import { type InProcessMcpServer, McpLink, type McpMessage } from './mcp-link.ts';
import { within } from '../within.ts';

/** Servers within this program, by name. */
export type InProcessMcpServers = Readonly<Record<string, InProcessMcpServer>>;

// A server that is not up by then is left to the agent to ask.
const MANIFEST_TIMEOUT_MS = 10_000;

/** The MCP servers within this program that an agent may use. */
export class McpServers {
  readonly links = new Map<string, McpLink>();
  readonly #tell: (name: string, message: McpMessage) => Promise<unknown>;
  #manifests: Promise<object> | undefined;

  /** `tell` sends a message of a server to the agent. */
  constructor(tell: (name: string, message: McpMessage) => Promise<unknown>) {
    this.#tell = tell;
  }

  /** These from now on; those that were there before are told that their link is gone. */
  replace(servers: InProcessMcpServers): void {
    for (const link of this.links.values()) void link.close();
    this.links.clear();
    this.#manifests = undefined;
    for (const [name, server] of Object.entries(servers)) {
      this.links.set(name, new McpLink(server, (message) => this.#tell(name, message)));
    }
  }

  /** What each is, by name, as far as it says so in time. Asked once: they hear no second handshake. */
  manifests(): Promise<object> {
    this.#manifests ??= manifestsOf(this.links);
    return this.#manifests;
  }
}

async function manifestsOf(links: ReadonlyMap<string, McpLink>): Promise<object> {
  const entries = Array.from(links, async ([name, link]) => {
    const manifest = link.manifest().catch(() => undefined);
    return [name, await within(MANIFEST_TIMEOUT_MS, manifest)] as const;
  });
  // JSON leaves out those that are undefined.
  return Object.fromEntries(await Promise.all(entries));
}
