import { expect, test } from 'vitest';
import { createBackendRegistry } from './backend-registry.ts';
import { defineBackend } from './backend.ts';
import { claude } from './claude-amp-qwen.ts';

test('a registry contains the backends of this package and those that are registered', () => {
  const registry = createBackendRegistry();
  expect(registry.names()).toEqual(expect.arrayContaining(['claude', 'codex', 'gemini', 'kiro', 'text']));
  const mine = defineBackend({ name: 'mine', command: 'mine', args: () => [] });
  registry.register(mine);
  expect(registry.get('mine')).toBe(mine);
  expect(registry.get('no such')).toBeUndefined();
  expect(createBackendRegistry().get('mine')).toBeUndefined();
});

test('a registry refuses a name that is in use', () => {
  expect(() => createBackendRegistry([claude]).register(claude)).toThrow(TypeError);
});

test('backends written from documentation alone are marked experimental', () => {
  const registry = createBackendRegistry();
  const experimental = registry.names().filter((name) => registry.get(name)?.experimental);
  expect(experimental).toEqual(['cursor', 'goose']);
});
