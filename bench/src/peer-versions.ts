import { readFileSync } from 'node:fs';

const folder = new URL('../node_modules/', import.meta.url);

/** Returns a peer as `name@version` with the installed version, and keeps the text after a comma. Returns any other name unchanged. */
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
