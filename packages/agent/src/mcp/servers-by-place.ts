import { isRecord } from '@proto/core/internal';

export interface ServersByPlace {
  /** The names of the servers of type `sdk`, which run in the host. */
  readonly inHost: readonly string[];
  /** The servers that an agent starts or connects to. */
  readonly others: Readonly<Record<string, unknown>>;
}

export function serversByPlace(configs: Readonly<Record<string, unknown>>): ServersByPlace {
  const servers = Object.entries(configs);
  const isHosts = ([, config]: [string, unknown]) => isRecord(config) && config['type'] === 'sdk';
  return {
    inHost: servers.filter(isHosts).map(([name]) => name),
    others: Object.fromEntries(servers.filter((server) => !isHosts(server))),
  };
}
