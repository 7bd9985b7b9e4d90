/** Type-checks each snippet of TypeScript and JavaScript in the documents, and each `@example` in the sources, against the built packages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';
import { blocksOf, documents, ROOT } from './documents.ts';

// Inside this package, so that the imports of the snippets resolve.
const folder = mkdtempSync(fileURLToPath(new URL('run-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true }));

/** Documents whose snippets another test checks. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/write-a-transport.md': 'its snippets are quotes, which packages/testkit compares with the source',
};

/** What the reader of a page already has: the declarations in front of the snippets that need them. The first snippet of a page has the number 1. */
const GIVEN: Readonly<Record<string, string>> = {
  'docs/troubleshooting.md 1': 'declare function work(): Promise<void>;',
  'docs/add-a-backend.md 2':
    "import { createBackendRegistry } from '@proto/adapters';\ndeclare const acme: Parameters<ReturnType<typeof createBackendRegistry>['register']>[0];",
  'docs/agents.md 1': 'declare function myModel(history: unknown, options: object): Promise<string>;',
  'docs/ingress.md 2':
    "import { openSqliteEventLog } from '@proto/ingress';\ndeclare const uuid: string, message: object;",
  'docs/ingress.md 3': "import { openSqliteEventLog } from '@proto/ingress';",
  'docs/ingress.md 4':
    "import type { EventLog, NewEvent } from '@proto/ingress/event-log';\ndeclare const log: EventLog, node: string, events: NewEvent[], last: number;",
  'docs/ingress.md 5':
    "import type { EventLog } from '@proto/ingress/event-log';\ndeclare function openMyLog(options: unknown): Promise<EventLog>;\ndeclare function openAgain(log: EventLog, options: unknown): Promise<EventLog>;",
  'docs/nodes.md 1':
    "import { listen, type Accounts } from '@proto/ingress';\nimport type { EventLog } from '@proto/ingress/event-log';\ndeclare const log: EventLog, accounts: Accounts;",
  'docs/transports.md 1': 'declare function readToken(): Promise<string>;',
  'docs/transports.md 2':
    "import { type Transport, wrapTransport } from '@proto/core/transport';\ndeclare const transport: Transport;",
  'docs/transports.md 3': 'declare function readToken(): Promise<string>;',
  'docs/transports.md 4': 'declare function readToken(): Promise<string>;',
};

/** Snippets that stand inside a function. */
const INSIDE: Readonly<Record<string, string>> = {
  'docs/agents.md 2': 'calls: number, options: { maxTurns: number }',
};

interface Snippet {
  readonly name: string;
  readonly document: string;
  readonly language: string;
  readonly code: string;
}

const snippets: readonly Snippet[] = documents
  .filter(({ name }) => !(name in ELSEWHERE))
  .flatMap(({ name, text }) =>
    blocksOf(text)
      .filter(({ language }) => ['ts', 'js', 'mjs', 'typescript', 'javascript'].includes(language))
      .map(({ language, code }, at) => ({ name: `${name} ${at + 1}`, document: name, language, code })),
  );

/** The examples in the docstrings of the packages. */
const examples: readonly Snippet[] = packageFolders().flatMap((folder) =>
  readdirSync(join(ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test/.test(path))
    .flatMap((path) => {
      const document = `${folder}/src/${path}`;
      const source = readFileSync(join(ROOT, document), 'utf8');
      return Array.from(source.matchAll(/@example\n \* ```ts\n(.*?) \* ```$/gms), ([, lines = ''], at) => {
        const code = lines.replaceAll(/^ \* ?/gm, '');
        return { name: `${document} ${at + 1}`, document, language: 'ts', code };
      });
    }),
);

const inBackends = (path: string) => join(ROOT, 'packages/adapters/src/backends', path);

function moduleOf({ name, code }: Snippet): string {
  const parameters = INSIDE[name];
  if (parameters !== undefined) return `export async function* inside(${parameters}) {\n${code}}\n`;
  // The page about a new backend shows a file that its reader puts into the folder of the existing backends.
  const placed = name === 'docs/add-a-backend.md 1' ? code.replaceAll(/(?<=from ')\.\.?\/[^']*/g, inBackends) : code;
  return `${GIVEN[name] ?? ''}\n${placed}export {};\n`;
}

/** Writes the snippets and returns what the compiler says of them, with the name of each snippet. */
function complaintsOf(given: readonly Snippet[]): string[] {
  const files = given.map((snippet, at) => {
    // The files on a page of docs/getting-started are in one folder, and the first line of each file is its name.
    const file = `${snippet.document.replaceAll(/\W/g, '-')}-${at}.ts`;
    writeFileSync(join(folder, file), moduleOf(snippet));
    return file;
  });
  const compilerOptions = {
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    strict: true,
    noImplicitAny: false,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  try {
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      stdio: 'pipe',
    });
    return [];
  } catch (error) {
    const { stdout } = error as { readonly stdout: Buffer };
    const lines = stdout
      .toString()
      .split('\n')
      .filter((line) => line.includes('error TS'));
    return lines.map((line) =>
      line.replace(/^(\S+?)\(/, (_, file: string) => `${given[files.indexOf(file)]?.name ?? file} (`),
    );
  }
}

test('the snippets have the types that the packages declare', () => {
  expect(snippets.length).toBeGreaterThan(40);
  expect(examples.length).toBeGreaterThan(10);
  // Files that import each other are run by other tests.
  const alone = snippets.filter(({ document }) => !/^docs\/(?:getting-started\/|inside-your-server)/.test(document));
  expect(complaintsOf([...alone, ...examples])).toEqual([]);
}, 60_000);

test('a snippet that calls what does not exist is found', () => {
  const code = "import { query } from '@proto/host';\nquery({ promt: 'hello' });\n";
  const complaints = complaintsOf([{ name: 'a page 1', document: 'a page', language: 'ts', code }]);
  expect(complaints).toEqual([expect.stringMatching(/^a page 1 \(\d+,.*promt/)]);
}, 60_000);

test('each declaration in front of a snippet is used', () => {
  const names = snippets.map(({ name }) => name);
  expect([...Object.keys(GIVEN), ...Object.keys(INSIDE)].filter((name) => !names.includes(name))).toEqual([]);
});
