import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFolders } from '../workspace.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The entries that need Node, and why. */
export const NODE_ENTRIES: Readonly<Record<string, string>> = {
  '@proto/acp/node': 'files of the working directory',
  '@proto/adapters/node': 'child processes',
  '@proto/headless': 'the process of an agent',
  '@proto/permissions/node': 'files',
  '@proto/recording/node': 'files',
  '@proto/testkit': 'servers and processes',
  '@proto/testkit/cassettes': 'servers',
  '@proto/testkit/fakes': 'files and processes',
  '@proto/testkit/steps': 'checksums of `node:crypto`',
  '@proto/testkit/vitest': 'the test runner',
  '@proto/transport-sse/node': 'proxies, through undici',
  '@proto/transport-stdio': 'child processes and standard streams',
  '@proto/transport-websocket/node': 'sockets of `ws`, and proxies',
  '@proto/ingress': 'a server of `node:http`',
  '@proto/ingress/operate': 'a database in a file',
  '@proto/ingress/metrics': 'the client library of Prometheus',
  '@proto/ingress/node': 'a server of `node:http`',
  '@proto/log-postgres': 'the driver `pg`',
  '@proto/remote/node': 'files',
  '@proto/remote/worker': 'child processes',
  '@proto/remote/bridge': 'a server of `node:http`, and child processes',
  '@proto/shim': 'standard streams',
  '@proto/shim/install': 'files',
  '@proto/shim/program': 'the process of a shim',
  '@proto/reference-agent/node': 'child processes and files',
  '@proto/reference-agent/program': 'the process of an agent',
};

/** Programs, whose entries all need Node, but the entry that only declares commands. */
const PROGRAMS = /^@proto\/(?:cli|conformance|terminal(?!\/commands))(?:\/|$)/;

/** The entries of all published packages that are meant for every platform. A new entry is one of them until it is listed above. */
export const NEUTRAL_ENTRIES: readonly string[] = packageFolders(ROOT)
  .flatMap((folder) => entriesOf(`${ROOT}${folder}/package.json`))
  .filter((entry) => !Object.hasOwn(NODE_ENTRIES, entry) && !PROGRAMS.test(entry));

function entriesOf(file: string): readonly string[] {
  const { name, exports, private: isPrivate } = JSON.parse(readFileSync(file, 'utf8'));
  if (isPrivate === true) return [];
  // A pattern stands for one file of each message, and JSON is data.
  const entries = Object.keys(exports ?? {}).filter((path) => !/\*|\.json$/.test(path));
  return entries.map((path) => `${name}${path.slice(1)}`);
}
