import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { versionOf } from './peer-versions.ts';
import { report } from './report.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/size.mjs', import.meta.url));
const PEERS = {
  split2: 'split2',
  'it-ndjson': 'it-ndjson',
  birpc: 'birpc',
  'json-rpc-2.0': 'json-rpc-2.0',
  'vscode-jsonrpc': 'vscode-jsonrpc/node',
  '@agentclientprotocol/sdk': '@agentclientprotocol/sdk',
  '@modelcontextprotocol/sdk': '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/client': '@modelcontextprotocol/client',
};

interface Size {
  readonly name: string;
  readonly bytes: number;
  /** The size that the next change must not exceed. */
  readonly limit: number;
  readonly goal?: number;
}

/** B1: the bundle size of an entry, measured by the script that CI uses. */
export async function bundleSize(): Promise<void> {
  const sizes = JSON.parse(execFileSync(process.execPath, [SCRIPT, '--json'], { encoding: 'utf8' })) as Size[];
  const row = { id: 'B1', metric: 'bytes', base: 'minified, gzip -9', atMost: true } as const;
  for (const { name, bytes, limit, goal = limit } of sizes) report({ ...row, case: name, value: bytes, goal });
  for (const [name, entry] of Object.entries(PEERS)) {
    report({ ...row, case: name, value: await sizeOf(entry), figures: { peer: versionOf(name) } });
  }
}

async function sizeOf(entry: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from ${JSON.stringify(entry)};`,
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    write: false,
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0);
}
