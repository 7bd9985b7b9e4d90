import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** A published entry, and what it may load in addition to the files of its package. */
export interface Entry {
  readonly file: string;
  /** The exact list of packages and modules of Node. */
  readonly loads: readonly string[];
  /** The limit if bundled: CPU time in addition to the CPU time of an empty process, in milliseconds. */
  readonly goalMs?: number;
  /** The limit if bundled: memory in addition to the memory of an empty process, in megabytes. */
  readonly goalMb?: number;
}

/** The entries whose cost at start is measured, by name. */
export const entries: Readonly<Record<string, Entry>> = {
  'core/framing': { file: built('packages/core/dist/framing/index.js'), loads: [] },
  core: { file: built('packages/core/dist/index.js'), loads: [], goalMs: 6, goalMb: 2 },
  'core/transport': { file: built('packages/core/dist/transport/index.js'), loads: [] },
  'core/messages': { file: built('packages/core/dist/messages/index.js'), loads: [], goalMs: 6 },
  host: { file: built('packages/host/dist/index.js'), loads: ['@proto/core'] },
  agent: { file: built('packages/agent/dist/index.js'), loads: ['@proto/core'] },
  'transport-stdio': {
    file: built('packages/transport-stdio/dist/index.js'),
    loads: [
      '@proto/core',
      'node:buffer',
      'node:child_process',
      'node:fs',
      'node:os',
      'node:path',
      'node:process',
      'node:stream',
    ],
    goalMs: 8,
  },
  'reference-agent': {
    file: built('apps/reference-agent/dist/index.js'),
    loads: ['@proto/agent', '@proto/core', '@proto/permissions'],
  },
  adapters: { file: built('packages/adapters/dist/index.js'), loads: ['@proto/core'] },
};

function built(path: string): string {
  return fileURLToPath(new URL(path, root));
}
