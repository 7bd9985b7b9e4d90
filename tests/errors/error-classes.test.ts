/** The error classes of all packages: `is` and `find` are their only static functions, and always come together. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolders } from '../workspace.ts';
import { ROOT } from '../readme/documents.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly default?: string }>>;
}

type ErrorClass = { readonly is?: unknown; readonly find?: (error: unknown) => unknown };

/** The files of a package that can be imported outside of a test runner, without patterns. */
function filesOf(folder: string): string[] {
  const { private: isPrivate, exports = {} } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  ) as Manifest;
  if (isPrivate === true) return [];
  return Object.entries(exports).flatMap(([entry, target]) =>
    typeof target === 'string' || target.default === undefined || /\*|vitest/.test(entry)
      ? []
      : [join(ROOT, folder, target.default)],
  );
}

const modules = await Promise.all(
  packageFolders()
    .flatMap(filesOf)
    .map(async (file) => (await import(file)) as Readonly<Record<string, unknown>>),
);
const classes = new Map(
  modules
    .flatMap((module) => Object.entries(module))
    .filter(([, value]) => typeof value === 'function' && Object(value.prototype) instanceof Error),
) as ReadonlyMap<string, ErrorClass>;

test('there are error classes', () => {
  expect([...classes.keys()]).toEqual(expect.arrayContaining(['TransportError', 'SessionError', 'EventLogError']));
});

test.each([...classes])('%s has is and find, or no static function', (_, errorClass) => {
  const members = Object.getOwnPropertyNames(errorClass);
  const functions = members.filter((name) => typeof Reflect.get(errorClass, name) === 'function');
  expect([[], ['find', 'is']]).toContainEqual(functions.sort());
  expect(errorClass.find?.(new Error('of somebody else'))).toBeUndefined();
});
