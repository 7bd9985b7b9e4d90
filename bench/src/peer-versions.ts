import { readFileSync } from 'node:fs';

const folder = new URL('../node_modules/', import.meta.url);

/** A peer as `name@version`, as it is installed, and what is behind a comma; any other name as it is. */
export function versionOf(peer: string): string {
  const [name = '', ...how] = peer.split(', ');
  try {
    const { version } = JSON.parse(readFileSync(new URL(`${name}/package.json`, folder), 'utf8')) as {
      version: string;
    };
    return [`${name}@${version}`, ...how].join(', ');
  } catch {
    return peer;
  }
}
