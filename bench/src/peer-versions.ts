import { readFileSync } from 'node:fs';

const folder = new URL('../node_modules/', import.meta.url);

/** A peer as `name@version`, as it is installed; any other name as it is. */
export function versionOf(name: string): string {
  try {
    const { version } = JSON.parse(readFileSync(new URL(`${name}/package.json`, folder), 'utf8')) as {
      version: string;
    };
    return `${name}@${version}`;
  } catch {
    return name;
  }
}
