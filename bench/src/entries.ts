import { fileURLToPath } from 'node:url';

const packages = new URL('../../packages/', import.meta.url);

/** A published entry, as it is built, and what loading it may load besides files of its own package. */
export interface Entry {
  readonly file: string;
  /** Packages and Node's modules, which are exactly these. */
  readonly loads: readonly string[];
  /** Bundled, in milliseconds of CPU time more than an empty process. */
  readonly goalMs?: number;
  /** Bundled, in megabytes of memory more than an empty process. */
  readonly goalMb?: number;
}

/** The entries whose cost at start is measured, by name. */
export const entries: Readonly<Record<string, Entry>> = {
  'core/framing': { file: built('core/dist/framing/index.js'), loads: [] },
  core: { file: built('core/dist/index.js'), loads: [], goalMs: 6, goalMb: 2 },
  'core/transport': { file: built('core/dist/transport/index.js'), loads: [] },
  'core/messages': { file: built('core/dist/messages/index.js'), loads: [], goalMs: 6 },
  host: { file: built('host/dist/index.js'), loads: ['@proto/core'] },
  agent: { file: built('agent/dist/index.js'), loads: ['@proto/core'] },
  'transport-stdio': {
    file: built('transport-stdio/dist/index.js'),
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
    file: built('reference-agent/dist/index.js'),
    loads: ['@proto/agent', '@proto/core', '@proto/permissions'],
  },
  adapters: { file: built('adapters/dist/index.js'), loads: ['@proto/core'] },
};

function built(path: string): string {
  return fileURLToPath(new URL(path, packages));
}
