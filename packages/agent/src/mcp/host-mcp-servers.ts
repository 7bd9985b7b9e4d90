import { isRecord, type JSONRPCMessage, type McpServerProvenance } from '@proto/core/internal';
import { invalidRequest } from '../controls/control-members.ts';
import { behindAnswers, HostMcpConnection, type HostMcpServer, type HostMcpServerOptions } from './host-mcp-server.ts';

/** How many MCP servers a host may name at once: 1000. The agent introduces itself to each, and looks for their tools by name. */
export const DEFAULT_MAX_HOST_MCP_SERVERS = 1000;

/** What became of a change of the servers, by their names. */
export interface HostMcpChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The MCP servers that live in the host: announced on the command line, by `initialize`, or later. */
export interface HostMcpServers {
  readonly list: readonly HostMcpServer[];
  /**
   * Takes what `initialize` announces, in the place of what an earlier one or `set` has named; servers of the command line stay, and so
   * do all where it names no servers. Gives members of its answer when each server has been introduced.
   */
  announce(request: Readonly<Record<string, unknown>>): Promise<object> | undefined;
  /** Has exactly these from now on. The handshake with new ones follows. Throws a `ControlError` for more than may be. */
  set(names: readonly string[]): HostMcpChange;
  /** Makes the handshake with it again; fulfils when that is done, or has failed. */
  reconnect(name: string): Promise<void>;
  /** One that is switched off is still known, and not offered. */
  toggle(name: string, isEnabled: boolean): void;
  find(name: string): HostMcpConnection | undefined;
  /** Of which of them a tool is, by its name. */
  provenanceOf(tool: string): McpServerProvenance | undefined;
  /** As `mcp_status` tells them. */
  readonly statuses: readonly object[];
  /** Hands on what a server says unasked; one that is unknown is no error. */
  receive(name: string, message: unknown): void;
  /** Fulfils when the tools of each are known, or it has failed. */
  ready(): Promise<void>;
}

/** Makes the servers of one session; `announced` are reached with the first turn or `initialize`. There are none unless `isAllowed`. */
export function createHostMcpServers(
  options: Omit<HostMcpServerOptions, 'manifest' | 'start'>,
  announced: readonly string[],
  isAllowed = true,
): HostMcpServers {
  const servers = new Map<string, HostMcpConnection>();
  const disabled = new Set<string>();
  let unreached = announced;
  // Those the host has named itself, and not the command line.
  let named: readonly string[] = [];

  function remove(names: readonly string[]): void {
    for (const name of names) servers.delete(name);
  }

  function add(
    names: readonly string[],
    manifests: Readonly<Record<string, unknown>> = {},
    start?: Promise<void>,
  ): HostMcpConnection[] {
    const added = names.filter((name) => isAllowed && !servers.has(name));
    return added.map((name) => {
      const manifest = manifests[name];
      const server = new HostMcpConnection(name, { ...options, start, ...(isRecord(manifest) && { manifest }) });
      servers.set(name, server);
      return server;
    });
  }

  function reach(): void {
    add(unreached);
    unreached = [];
  }

  return {
    get list() {
      return [...servers.values()].filter(({ name }) => !disabled.has(name));
    },
    get statuses() {
      return Array.from(servers.values(), ({ name, status, serverInfo, tools }) => ({
        name,
        status: disabled.has(name) ? 'disabled' : status,
        serverInfo,
        tools: tools.map((tool) => ({ name: tool.name, description: tool['description'] })),
      }));
    },
    find: (name) => servers.get(name),
    provenanceOf(tool) {
      const name = [...servers.keys()].find((each) => tool.startsWith(`mcp__${each}__`));
      return name === undefined ? undefined : { name, source: 'sdk' };
    },
    async reconnect(name) {
      // One that is under way will do: two at once would go by the same ids.
      if (servers.get(name)?.status !== 'pending') {
        servers.delete(name);
        add([name]);
      }
      await servers.get(name)?.ready;
    },
    toggle(name, isEnabled) {
      if (isEnabled) disabled.delete(name);
      else disabled.add(name);
    },
    announce({ sdkMcpServers, sdkMcpServerManifests }) {
      const manifests = isRecord(sdkMcpServerManifests) ? sdkMcpServerManifests : {};
      const names = hostServerNames(sdkMcpServers);
      const parked = Object.entries(manifests).map(([name, manifest]) => [name, fateOf(manifest, servers.has(name))]);
      if (Array.isArray(sdkMcpServers)) {
        remove(named.filter((name) => !names.has(name)));
        named = [...names].filter((name) => !announced.includes(name));
      }
      add([...names], manifests);
      reach();
      if (servers.size === 0) return undefined;
      const introduced = Promise.all(Array.from(servers.values(), (server) => server.introduced));
      const fates = parked.length > 0 && { sdk_mcp_manifests_parked: Object.fromEntries(parked) as object };
      return introduced.then(() => ({ ...fates }));
    },
    set(all) {
      const names = hostServerNames(all);
      const removed = [...servers.keys()].filter((name) => !names.has(name));
      remove(removed);
      unreached = [];
      named = [...names];
      return { added: add(named, {}, behindAnswers()).map(({ name }) => name), removed };
    },
    receive: (name, message) => {
      if (isRecord(message)) servers.get(name)?.receive(message as JSONRPCMessage);
    },
    async ready() {
      reach();
      await Promise.all(Array.from(servers.values(), ({ ready }) => ready));
    },
  };
}

/** The names a host gives, each once. Throws a `ControlError` for more than may be. */
export function hostServerNames(named: unknown): ReadonlySet<string> {
  const names = new Set(Array.isArray(named) ? named.filter((name) => typeof name === 'string') : []);
  if (names.size > DEFAULT_MAX_HOST_MCP_SERVERS) {
    throw invalidRequest(`${names.size} MCP servers were named, limit ${DEFAULT_MAX_HOST_MCP_SERVERS}: name fewer`);
  }
  return names;
}

function fateOf(manifest: unknown, isConnected: boolean): string {
  if (isConnected) return 'already_connected';
  return isRecord(manifest) && isRecord(manifest['initializeResult']) ? 'parked' : 'malformed';
}
