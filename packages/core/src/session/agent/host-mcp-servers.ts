import type { JSONRPCMessage, McpServerProvenance } from '../../messages/message-types.ts';
import { isRecord } from '../is-record.ts';
import { behindAnswers } from './behind-answers.ts';
import { HostMcpConnection, type HostMcpServer, type HostMcpServerOptions } from './host-mcp-server.ts';

/** What became of a change of the servers, by their names. */
export interface HostMcpChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The MCP servers that live in the host: announced on the command line, by `initialize`, or later. */
export interface HostMcpServers {
  readonly list: readonly HostMcpServer[];
  /** Takes what `initialize` announces; gives members of its answer when each server has been introduced. */
  announce(request: Readonly<Record<string, unknown>>): Promise<object> | undefined;
  /** Has exactly these from now on. The handshake with new ones follows. */
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
      const names = Array.isArray(sdkMcpServers) ? sdkMcpServers.filter((name) => typeof name === 'string') : [];
      const parked = Object.entries(manifests).map(([name, manifest]) => [name, fateOf(manifest, servers.has(name))]);
      add(names, manifests);
      reach();
      if (servers.size === 0) return undefined;
      const introduced = Promise.all(Array.from(servers.values(), (server) => server.introduced));
      const fates = parked.length > 0 && { sdk_mcp_manifests_parked: Object.fromEntries(parked) as object };
      return introduced.then(() => ({ ...fates }));
    },
    set(names) {
      const removed = [...servers.keys()].filter((name) => !names.includes(name));
      for (const name of removed) servers.delete(name);
      unreached = [];
      return { added: add(names, {}, behindAnswers()).map(({ name }) => name), removed };
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

function fateOf(manifest: unknown, isConnected: boolean): string {
  if (isConnected) return 'already_connected';
  return isRecord(manifest) && isRecord(manifest['initializeResult']) ? 'parked' : 'malformed';
}
