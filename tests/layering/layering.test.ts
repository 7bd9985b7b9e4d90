/** Breaks each import rule of `.oxlintrc.json` once in a scratch tree, so that a rule that no longer matches fails a test. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { workspaceFolders } from '../workspace.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const IMPORT = 'eslint(no-restricted-imports)';
const NODE = 'import(no-nodejs-modules)';
const GLOBAL = 'eslint(no-restricted-globals)';
const CYCLE = 'import(no-cycle)';
const LAYERING: readonly string[] = [IMPORT, NODE, GLOBAL, CYCLE];

/** The folder of a file, one line of code, and the rules that the line breaks. */
const cases: readonly (readonly [folder: string, code: string, breaks: readonly string[]])[] = [
  ['core/src', `export * from './framing/index.ts';`, []],
  ['core/src', `export type { A } from './messages/index.ts';`, []],
  ['core/src', `export { a } from './messages/index.ts';`, [IMPORT]],
  ['core/src', `import 'zod';`, [IMPORT]],
  ['core/src', `import '@proto/test-support';`, [IMPORT]],

  ['core/src/framing', `import './encode-line.ts';`, []],
  ['core/src/framing', `import '../transport/error.ts';`, [IMPORT]],
  ['core/src/framing', `import type { A } from '../transport/error.ts';`, [IMPORT]],
  ['core/src/framing', `export { a } from '../errors.ts';`, [IMPORT]],
  ['core/src/framing', `export const a = () => import('../errors.ts');`, [IMPORT]],
  ['core/src/framing', `import 'zod/mini';`, [IMPORT]],
  ['core/src/framing', `import 'node:stream';`, [IMPORT, NODE]],

  ['core/src/json', `import './json-cursor.ts';`, []],
  ['core/src/json', `import '../framing/json-line.ts';`, [IMPORT]],

  ['core/src/messages', `import './explain.ts'; import './generated/message-checks.ts';`, []],
  ['core/src/messages', `import 'zod/mini';`, [IMPORT]],
  ['core/src/messages', `import '../schemas/user.ts';`, [IMPORT]],
  ['core/src/messages', `import '../framing/json-line.ts';`, [IMPORT]],
  ['core/src/schemas', `import './user.ts'; import 'zod/mini';`, []],
  ['core/src/schemas', `import 'zod';`, [IMPORT]],
  ['core/src/schemas', `import '../framing/json-line.ts';`, [IMPORT]],
  ['core/src/schemas/control', `import './interrupt.ts'; import '../user.ts'; import '../hooks/base.ts';`, []],
  ['core/src/schemas/control', `import '../../messages/hook-events.ts'; import 'zod/mini';`, []],
  ['core/src/schemas/control', `import '../../framing/json-line.ts';`, [IMPORT]],
  ['core/src/schemas/control', `import 'zod';`, [IMPORT]],
  ['core/src/drift', `import '../schemas/user.ts'; import '../messages/parse-message.ts'; import 'zod/mini';`, []],
  ['core/src/drift', `import '../session/session.ts';`, [IMPORT]],

  ['core/src/transport', `import './error.ts';`, []],
  ['core/src/transport', `import '../framing/json-line.ts';`, []],
  ['core/src/transport', `import '../session/outbound-queue.ts';`, [IMPORT]],
  ['core/src/transport', `import type { A } from '../messages/user.ts';`, [IMPORT]],
  ['core/src/transport', `import '../errors.ts';`, [IMPORT]],
  ['core/src/transport/connect', `import './address.ts'; import '../error.ts'; import '../reconnect/backoff.ts';`, []],
  ['core/src/transport/connect', `import '../../framing/utf8.ts';`, []],
  ['core/src/transport/connect', `import '../../session/outbound-queue.ts';`, [IMPORT]],

  ['core/src/session', `import './outbound-queue.ts';`, []],
  ['core/src/session', `import '../transport/transport.ts';`, []],
  ['core/src/session', `import '../framing/encode-line.ts';`, []],
  ['core/src/session', `import '../errors.ts';`, []],
  ['core/src/session', `import type { A } from '../messages/message-types.ts';`, []],
  ['core/src/session', `import '../messages/generated/minimal-checks.ts'; import '../messages/explain.ts';`, []],
  ['core/src/session', `import type { A } from '../messages/user.ts';`, [IMPORT]],
  ['core/src/session', `export { a } from '../messages/user.ts';`, [IMPORT]],
  ['core/src/session', `export const a = () => import('../messages/user.ts');`, [IMPORT]],
  ['core/src/session', `import '../index.ts';`, [IMPORT]],
  ['core/src/session', `import 'zod/mini';`, [IMPORT]],
  ['core/src/session', `import 'fs';`, [IMPORT, NODE]],
  ['core/src/session', `export const a = process.pid;`, [GLOBAL]],
  ['core/src/session', `export const a = Buffer.from('');`, [GLOBAL]],
  ['core/src/session', `export const a = window.name;`, [GLOBAL]],
  ['core/src/session', `export const a = document.title;`, [GLOBAL]],
  ['core/src/session', `console.log('');`, [GLOBAL]],

  ['host/src', `import '@proto/core'; import '@proto/core/transport'; import '@proto/core/internal';`, []],
  ['host/src', `import '@proto/agent';`, [IMPORT]],
  ['host/src', `import type { A } from '@proto/agent';`, [IMPORT]],
  ['host/src', `import '@proto/core/messages';`, [IMPORT]],
  ['host/src', `import type { A } from '@proto/core/messages';`, []],
  ['host/src', `import '@proto/core/schemas/user';`, [IMPORT]],
  ['host/src', `import '../../core/src/session/session.ts';`, [IMPORT]],
  ['host/src', `import 'node:stream';`, [NODE]],
  ['host/src', `import 'zod';`, [IMPORT]],
  ['agent/src', `import '@proto/core'; import '@proto/core/framing'; import '@proto/core/internal';`, []],
  ['agent/src', `import '@proto/host';`, [IMPORT]],
  ['agent/src', `import type { A } from '@proto/host';`, [IMPORT]],
  ['agent/src', `export { a } from '@proto/core/messages';`, [IMPORT]],
  ['agent/src', `export const a = () => import('@proto/host');`, [IMPORT]],
  ['agent/src', `export const a = process.pid;`, [GLOBAL]],
  ['agent/src', `import '@proto/test-support';`, [IMPORT]],

  ['recording/src', `import '@proto/core'; import '@proto/core/transport';`, []],
  ['recording/src', `import '@proto/core/messages'; import '@proto/permissions';`, []],
  ['recording/src/redaction', `import 'node:fs';`, [NODE]],
  ['support/src', `import 'fast-check';`, []],
  ['support/src', `import type { A } from '@proto/core';`, [IMPORT]],

  ['transport-stdio/src', `import 'node:stream';`, []],
  ['transport-stdio/src', `import '@proto/core/transport';`, []],
  ['transport-stdio/src', `import '@proto/core/framing';`, []],
  ['transport-stdio/src', `import '@proto/core';`, [IMPORT]],
  ['transport-stdio/src', `import type { A } from '@proto/core';`, [IMPORT]],
  ['transport-stdio/src', `import '@proto/core/messages';`, [IMPORT]],
  ['transport-stdio/src', `import '@proto/transport-sse';`, [IMPORT]],
  ['transport-stdio/src', `import '@proto/test-support';`, [IMPORT]],
  ['transport-stdio/src', `import '../../core/src/transport/error.ts';`, [IMPORT]],
  ['transport-sse/src', `import 'eventsource-parser';`, []],
  ['transport-sse/src', `import '@proto/core/network'; import '@proto/core/reconnect';`, []],
  ['transport-sse/src', `import '@proto/core/internal';`, [IMPORT]],
  ['transport-stdio/src', `import type { A } from '@proto/core/internal';`, [IMPORT]],
  ['transport-websocket/src/node', `import '@proto/core/internal';`, [IMPORT]],
  ['transport-sse/src', `import 'node:http';`, [NODE]],
  ['transport-sse/src', `export const a = process.pid;`, [GLOBAL]],
  ['transport-sse/src/node', `import 'node:http';`, []],
  ['transport-sse/src/hybrid', `export const a = process.pid;`, [GLOBAL]],
  ['transport-sse/src/hybrid', `import '@proto/transport-websocket';`, [IMPORT]],
  ['transport-sse/src', `import '@proto/core';`, [IMPORT]],
  ['transport-websocket/src/codec', `export const a = process.pid;`, [GLOBAL]],
  ['transport-websocket/src', `import 'ws';`, []],
  ['transport-websocket/src', `import 'node:http';`, [NODE]],
  ['transport-websocket/src', `export const a = process.pid;`, [GLOBAL]],
  ['transport-websocket/src/node', `import 'node:http'; export const a = process.pid;`, []],
  ['transport-websocket/src/node', `import '@proto/core';`, [IMPORT]],
  ['transport-websocket/src/server', `import '@proto/core';`, [IMPORT]],

  ['permissions/src', `import './rule.ts'; import '@proto/core/internal';`, []],
  ['permissions/src', `import './node.ts';`, [IMPORT]],
  ['permissions/src', `import 'node:path';`, [NODE]],
  ['permissions/src', `export const a = process.cwd();`, [GLOBAL]],

  ['reference-agent/src', `import '@proto/core'; import '@proto/agent'; import '@proto/permissions';`, []],
  ['reference-agent/src/node', `import '@proto/permissions/node';`, []],
  ['reference-agent/src/tools', `import 'node:fs';`, [NODE]],
  ['reference-agent/src/tools', `export const a = process.pid;`, [GLOBAL]],
  ['reference-agent/src/node', `import 'node:fs'; export const a = process.pid;`, []],

  ['headless/src', `import '@proto/core';`, []],
  ['headless/src', `import '@proto/core/transport'; import '@proto/agent';`, []],
  ['headless/src', `import '@proto/transport-stdio';`, []],
  ['headless/src', `import '@proto/transport-sse/node';`, []],
  ['headless/src', `import 'node:fs';`, []],
  ['headless/src', `import '@proto/reference-agent';`, [IMPORT]],
  ['headless/src', `import '@proto/core/src/index.ts';`, [IMPORT]],

  ['adapters/src', `import '@proto/core/framing';`, []],
  ['adapters/src', `import 'node:readline';`, [NODE]],
  ['adapters/src', `export { a } from './node/run-backend.ts';`, [IMPORT]],
  ['adapters/src/backends', `import '../members.ts';`, []],
  ['adapters/src/backends', `import '../node/run-backend.ts';`, [IMPORT]],
  ['adapters/src/backends', `export const a = process.env;`, [GLOBAL]],
  ['adapters/src/node', `import '../read-events.ts';`, []],
  ['adapters/src/node', `import '@proto/transport-stdio';`, []],
  ['adapters/src/node', `import 'node:stream';`, []],

  ['ingress/src/routes', `import 'hono'; import '@proto/core/framing'; import 'node:http';`, []],
  ['ingress/src/log', `import 'vitest';`, [IMPORT]],
  ['ingress/src/vitest', `import 'vitest'; import '../log/event-log.ts';`, []],

  ['testkit/src', `import '@proto/core/transport'; import '@proto/recording';`, []],
  ['testkit/src', `import 'vitest';`, [IMPORT]],
  ['testkit/src/vitest', `import 'vitest';`, []],

  // The shelves.
  ['headless/src', `import '@proto/remote/worker';`, [IMPORT]],
  ['testkit/src', `import type { A } from '@proto/ingress';`, [IMPORT]],
  ['recording/src', `import '@proto/terminal';`, [IMPORT]],
  ['core/src/session', `export const a = () => import('@proto/cli');`, [IMPORT]],
  ['adapters/src/node', `import '@proto/conformance';`, [IMPORT]],
  ['ingress/src', `import '@proto/core/framing'; import '@proto/transport-websocket/node';`, []],
  ['ingress/src/http', `import '@proto/inspector';`, [IMPORT]],
  ['remote/src/bridge', `import '@proto/recording'; import '../open-session.ts';`, []],
  ['remote/src/worker', `import '@proto/reference-agent';`, [IMPORT]],
  ['shim/src', `import '@proto/remote'; import '@proto/headless';`, []],
  ['log-postgres/src', `import '@proto/cli';`, [IMPORT]],
  ['shim/src', `export * from '@proto/conformance/command';`, [IMPORT]],
  ['shim/src', `import '@proto/test-support/free-port';`, [IMPORT]],
  ['terminal/src', `import '@proto/host'; import '@proto/remote'; import 'node:fs';`, []],
  ['terminal/src', `import '@proto/conformance';`, [IMPORT]],
  ['terminal/src', `import 'commander'; process.exit(1);`, [GLOBAL]],
  ['inspector/src', `import '@proto/cli';`, [IMPORT]],

  ['conformance/src', `import '@proto/core/messages'; import '@proto/recording'; import 'node:http';`, []],
  ['conformance/src', `import '@proto/testkit/steps'; import '@proto/testkit/fakes';`, []],
  ['conformance/src', `import '@proto/testkit/internal';`, [IMPORT]],
  ['conformance/src', `import '@proto/core/internal';`, [IMPORT]],
  ['conformance/src', `import '@proto/host';`, [IMPORT]],
  ['conformance/src', `import '@proto/transport-websocket/node';`, [IMPORT]],

  ['demo/src', `import '@proto/ingress'; import '@proto/terminal'; import '@proto/testkit';`, []],
  ['demo/src', `import '@proto/cli';`, [IMPORT]],
  ['demo/src', `export const a = process.env;`, [GLOBAL]],

  ['cli/src', `import '@proto/headless';`, []],
  ['cli/src/commands', `import '@proto/test-support/verifies';`, [IMPORT]],
  ['cli/src/commands', `import '../../../core/dist/index.js';`, [IMPORT]],
];

/** Tests may import more than the other files of their folder, but no files inside other packages. */
const inTests: typeof cases = [
  [
    'core/src/framing',
    `import 'node:fs'; import '@proto/test-support'; console.log(process.pid, Buffer.from(''));`,
    [],
  ],
  ['transport-stdio/src', `import '@proto/core'; import '@proto/testkit/vitest';`, []],
  ['core/src/session', `import '../../../headless/src/index.ts';`, [IMPORT]],
  ['agent/src', `import '@proto/test-support';`, []],
];

/** Code outside the packages may not use `@proto/core/internal`, which makes no promises. */
const outside: typeof cases = [
  ...['tests', 'bench/src', 'examples/a'].map(
    (folder) => [folder, `import '@proto/core'; import '@proto/core/internal';`, [IMPORT]] as const,
  ),
  ['examples/b', `import '@proto/core/network'; import '@proto/core/reconnect'; import '@proto/testkit/vitest';`, []],
];

/** The path of a folder of a package: `core/src` is `packages/core/src`. */
function onShelf(folder: string): string {
  const [name = ''] = folder.split('/');
  const home = workspaceFolders().find((path) => basename(path) === name);
  if (home === undefined) throw new Error(`no package in a folder ${name}`);
  return home + folder.slice(name.length);
}

const scratch = mkdtempSync(join(tmpdir(), 'layering-'));
const files = [
  ...cases.map(([folder, code, breaks], n) => ({ path: `${onShelf(folder)}/case-${n}.ts`, code, breaks })),
  ...inTests.map(([folder, code, breaks], n) => ({ path: `${onShelf(folder)}/case-${n}.test.ts`, code, breaks })),
  ...outside.map(([folder, code, breaks]) => ({ path: `${folder}/case.ts`, code, breaks })),
];
const found = new Map<string, Set<string>>();

beforeAll(() => {
  cpSync(join(root, '.oxlintrc.json'), join(scratch, '.oxlintrc.json'));
  for (const { path, code } of files) {
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    writeFileSync(join(scratch, path), `${code}\n`);
  }
  // Two files that import each other.
  for (const [name, other] of ['ab', 'ba']) {
    writeFileSync(
      join(scratch, 'packages/cli/src', `${name}.ts`),
      `import { ${other} } from './${other}.ts';\nexport const ${name} = () => ${other};\n`,
    );
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json'], {
    cwd: scratch,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string; severity: string }[] };
  for (const { filename, code, severity } of diagnostics) {
    if (severity === 'error' && LAYERING.includes(code))
      found.set(filename, (found.get(filename) ?? new Set()).add(code));
  }
});

afterAll(() => rmSync(scratch, { recursive: true }));

test.each(files)('$path: $code', ({ path, breaks }) => {
  expect([...(found.get(path) ?? [])].sort()).toEqual([...breaks].sort());
});

test('a cycle of imports is reported', () => {
  expect(found.get('packages/cli/src/a.ts')).toContain(CYCLE);
});
