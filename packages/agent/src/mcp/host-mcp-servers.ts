import { isRecord } from '@proto/core/internal';
import type { JSONRPCMessage, McpServerProvenance } from '@proto/core/messages';
import { invalidRequest } from '../controls/control-members.ts';
import { afterAnswers, HostMcpConnection, type HostMcpServer, type HostMcpServerOptions } from './host-mcp-server.ts';

/** Limited because the agent performs the MCP handshake with each server. */
const DEFAULT_MAX_HOST_MCP_SERVERS = 1000;

export interface HostMcpChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface HostMcpServersOptions extends Omit<HostMcpServerOptions, 'manifest' | 'start' | 'onPrompts'> {
  /** Servers that the command line names. The handshake with them begins at the first turn or at `initialize`. */
  readonly announced: readonly string[];
  /** Default true. */
  readonly isAllowed?: boolean | undefined;
}

/** Hosts name these servers on the command line, in `initialize` or in a later request. */
export class HostMcpServers {
  readonly #options: HostMcpServersOptions;
  readonly #servers = new Map<string, HostMcpConnection>();
  readonly #disabled = new Set<string>();
  /** Called when the prompts of a server become known or change, except during `initialize`. */
  onPrompts: () => void = () => {};
  #unreached: readonly string[];

  constructor(options: HostMcpServersOptions) {
    this.#options = options;
    this.#unreached = options.announced;
  }

  /** The servers that are switched on. */
  get list(): readonly HostMcpServer[] {
    return this.connections;
  }

  get connections(): readonly HostMcpConnection[] {
    return [...this.#servers.values()].filter(({ name }) => !this.#disabled.has(name));
  }

  /** Lists the servers as in the answer to `mcp_status`. */
  get statuses(): readonly object[] {
    return Array.from(this.#servers.values(), ({ name, status, serverInfo, tools }) => ({
      name,
      status: this.#disabled.has(name) ? 'disabled' : status,
      serverInfo,
      tools: tools.map((tool) => ({ name: tool.name, description: tool['description'] })),
    }));
  }

  /** Also finds a server that is switched off. */
  find(name: string): HostMcpConnection | undefined {
    return this.#servers.get(name);
  }

  /** Returns `undefined` for the agent's own tools. */
  provenanceOf(tool: string): McpServerProvenance | undefined {
    const name = [...this.#servers.keys()].find((each) => tool.startsWith(`mcp__${each}__`));
    return name === undefined ? undefined : { name, source: 'sdk' };
  }

  /** Fulfils when the handshake is done or has failed. */
  async reconnect(name: string): Promise<void> {
    // A running handshake is not repeated: two handshakes at once would use the same ids.
    if (this.#servers.get(name)?.status !== 'pending') {
      this.#servers.delete(name);
      this.#add([name]);
    }
    await this.#servers.get(name)?.ready;
  }

  /** A server that is switched off is still known, but its tools are not offered. */
  toggle(name: string, isEnabled: boolean): void {
    if (isEnabled) this.#disabled.delete(name);
    else this.#disabled.add(name);
  }

  /**
   * Returns the names of servers in a request that adds servers.
   *
   * @throws {ControlError} with the code `invalid_request` for more than 1000 servers in all
   */
  checkNames(named: unknown): ReadonlySet<string> {
    const names = hostServerNames(named);
    hostServerNames([...this.#servers.keys(), ...names]);
    return names;
  }

  /**
   * Adds the servers that `initialize` names. All earlier servers stay, as in Claude Code 2.1.332. Fulfils with members for the answer, when each server
   * has answered the `initialize` request of MCP or has failed. Returns `undefined` if the host has no servers.
   *
   * @throws {ControlError} with the code `invalid_request` for more than 1000 servers in all
   */
  announce({ sdkMcpServers, sdkMcpServerManifests }: Readonly<Record<string, unknown>>): Promise<object> | undefined {
    const servers = this.#servers;
    const manifests = isRecord(sdkMcpServerManifests) ? sdkMcpServerManifests : {};
    const names = this.checkNames(sdkMcpServers);
    const parked = Object.entries(manifests).map(([name, manifest]) => [name, fateOf(manifest, servers.has(name))]);
    this.#add([...names], manifests);
    this.#reach();
    if (servers.size === 0) return undefined;
    const introduced = Promise.all(Array.from(servers.values(), (server) => server.introduced));
    const fates = parked.length > 0 && { sdk_mcp_manifests_parked: Object.fromEntries(parked) as object };
    return introduced.then(() => ({ ...fates }));
  }

  /**
   * Replaces all servers with the named servers, and begins the handshake with new servers.
   *
   * @throws {ControlError} with the code `invalid_request` for more than 1000 names
   */
  set(all: readonly string[]): HostMcpChange {
    const names = hostServerNames(all);
    const removed = [...this.#servers.keys()].filter((name) => !names.has(name));
    this.#remove(removed);
    this.#unreached = [];
    return { added: this.#add([...names], {}, afterAnswers()).map(({ name }) => name), removed };
  }

  /** Messages from unknown servers are ignored. */
  receive(name: string, message: unknown): void {
    if (isRecord(message)) this.#servers.get(name)?.receive(message as JSONRPCMessage);
  }

  /** Fulfils when, for each server, its tools are known or the server has failed. */
  async ready(): Promise<void> {
    this.#reach();
    await Promise.all(Array.from(this.#servers.values(), ({ ready }) => ready));
  }

  #add(
    names: readonly string[],
    manifests: Readonly<Record<string, unknown>> = {},
    start?: Promise<void>,
  ): HostMcpConnection[] {
    const { isAllowed = true } = this.#options;
    const added = names.filter((name) => isAllowed && !this.#servers.has(name));
    return added.map((name) => {
      const manifest = manifests[name];
      const server = new HostMcpConnection(name, {
        ...this.#options,
        start,
        onPrompts: () => this.onPrompts(),
        ...(isManifest(manifest) && { manifest }),
      });
      this.#servers.set(name, server);
      return server;
    });
  }

  #remove(names: readonly string[]): void {
    for (const name of names) this.#servers.delete(name);
  }

  #reach(): void {
    this.#add(this.#unreached);
    this.#unreached = [];
  }
}

/** @throws {ControlError} with the code `invalid_request` for more than 1000 names */
export function hostServerNames(named: unknown): ReadonlySet<string> {
  const names = new Set(Array.isArray(named) ? named.filter((name) => typeof name === 'string') : []);
  if (names.size > DEFAULT_MAX_HOST_MCP_SERVERS) {
    throw invalidRequest(
      `the request names ${names.size} MCP servers, but at most ${DEFAULT_MAX_HOST_MCP_SERVERS} are allowed: name fewer servers`,
    );
  }
  return names;
}

function fateOf(manifest: unknown, isConnected: boolean): string {
  if (isConnected) return 'already_connected';
  return isManifest(manifest) ? 'parked' : 'malformed';
}

/** Without the results of a handshake in the manifest, the agent performs the handshake itself. */
function isManifest(manifest: unknown): manifest is Readonly<Record<string, unknown>> {
  return isRecord(manifest) && isRecord(manifest['initializeResult']);
}
