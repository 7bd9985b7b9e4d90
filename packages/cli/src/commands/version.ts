import { PROTOCOL_VERSION } from '@proto/headless';
import own from '../../package.json' with { type: 'json' };

/** `sjp version`: of this program; with `--json` also of Node and of the protocol, that is of the agent whose messages it speaks. */
export function version({ json = false }: { readonly json?: boolean }): void {
  const about = { name: 'sjp', version: own.version, node: process.versions.node, protocol: PROTOCOL_VERSION };
  process.stdout.write(json ? `${JSON.stringify(about)}\n` : `${own.version}\n`);
}
