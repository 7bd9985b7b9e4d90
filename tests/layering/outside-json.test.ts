/** Tests that the packages parse JSON of peers and files with a limit of levels (`parseJson`), so that a text cannot exhaust the stack. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files that may call `JSON.parse`, by the reason. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'the limit itself, and a single string': [
    'packages/core/src/framing/parse-json.ts',
    'packages/core/src/json/json-cursor.ts',
    'packages/core/src/framing/parse-config.ts',
  ],
  'a file or a flag of the user who starts the program': [
    'server/ingress/src/node/account-entries.ts',
    'apps/inspector/src/page/view/waiting-requests.tsx',
  ],
  'a file of the package, or a text that the same program has written': [
    'conformance/src/cases/suite.ts',
    'conformance/src/host/stand-in.ts',
    'conformance/src/host/rules/handed-on-rules.ts',
    'conformance/src/server/redact.ts',
    'server/ingress/src/openapi/openapi-document.ts',
    'apps/inspector/src/page/view/server-api.ts',
    'packages/testkit/src/vitest/cases/messages.ts',
    'packages/transport-sse/src/worker/worker-state.ts',
  ],
  'the limits of a payload were checked before': [
    'server/ingress/src/json/cut-body.ts',
    'server/ingress/src/session/entry.ts',
  ],
  'only members of the outermost object are read': [
    'server/ingress/src/node/key-set.ts',
    'server/log-postgres/src/notifications.ts',
  ],
  'an envelope around many values, each of which is checked': [
    'apps/inspector/src/sessions/server-events.ts',
    'packages/transport-sse/src/worker/internal-events.ts',
  ],
  'what a prompt of the reference agent names, in a package that does not know the frames': [
    'apps/reference-agent/src/actions.ts',
  ],
};
/** Packages that are not published, or only for tests. */
const NOT_SHIPPED = /^apps\/demo\//;
const TEST = /\.test(?:-support|-d)?\.tsx?$|\.scenario\./;

const callers = packageFolders()
  .flatMap((folder) =>
    readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/src/${path}`,
    ),
  )
  .filter((path) => /\.tsx?$/.test(path) && !TEST.test(path) && !NOT_SHIPPED.test(path))
  .filter((path) => /\bJSON\.parse\(/.test(codeOf(join(root, path))));

/** The text of a file without its comments. */
function codeOf(path: string): string {
  return readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
}

test('JSON of peers and files is parsed by parseJson', () => {
  expect(callers.length).toBeGreaterThan(0);
  const allowed = Object.values(ALLOWED).flat();
  expect(callers.filter((path) => !allowed.includes(path))).toEqual([]);
});

test('each exception is still one', () => {
  const stale = Object.values(ALLOWED)
    .flat()
    .filter((path) => !callers.includes(path));
  expect(stale).toEqual([]);
});
