import type { AgentBackend } from './backend.ts';
import { amp, claude, qwen } from './claude-amp-qwen.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { goose } from './goose.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { kiro, text } from './text-kiro.ts';

/** Backends by name. */
export interface BackendRegistry {
  /** Adds a backend. @throws {TypeError} if the name is already in use. */
  register(backend: AgentBackend): void;
  /** Returns the backend with this name, or `undefined` if no such backend is registered. */
  get(name: string): AgentBackend | undefined;
  /** The names of all backends, in the order of registration. */
  names(): string[];
}

/** Creates a registry with the given backends. Default: the backends of this package. */
export function createBackendRegistry(backends: Iterable<AgentBackend> = builtInBackends): BackendRegistry {
  const byName = new Map<string, AgentBackend>();
  const registry: BackendRegistry = {
    register(backend) {
      if (byName.has(backend.name))
        throw new TypeError(`a backend named ${backend.name} is already registered: choose another name`);
      byName.set(backend.name, backend);
    },
    get: (name) => byName.get(name),
    names: () => [...byName.keys()],
  };
  for (const backend of backends) registry.register(backend);
  return registry;
}

/** The backends of this package. */
export const builtInBackends: readonly AgentBackend[] = [
  claude,
  codex,
  gemini,
  opencode,
  amp,
  copilot,
  qwen,
  pi,
  kiro,
  cursor,
  goose,
  text,
];
