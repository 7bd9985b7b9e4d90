import { expect, test } from 'vitest';
import { createBackendRegistry } from './backend-registry.ts';
import { defineBackend } from './backend.ts';
import { claude } from './claude.ts';

test('has the backends of this package, and those that are added', () => {
  const registry = createBackendRegistry();
  expect(registry.names()).toEqual(expect.arrayContaining(['claude', 'codex', 'gemini', 'kiro', 'text']));
  const mine = defineBackend({ name: 'mine', command: 'mine', args: () => [] });
  registry.register(mine);
  expect(registry.get('mine')).toBe(mine);
  expect(registry.get('no such')).toBeUndefined();
  expect(createBackendRegistry().get('mine')).toBeUndefined();
});

test('refuses a name that is taken', () => {
  expect(() => createBackendRegistry([claude]).register(claude)).toThrow(TypeError);
});

test('marks what was made after documents', () => {
  const registry = createBackendRegistry();
  const experimental = registry.names().filter((name) => registry.get(name)?.experimental);
  expect(experimental).toEqual(['cursor', 'goose']);
});
