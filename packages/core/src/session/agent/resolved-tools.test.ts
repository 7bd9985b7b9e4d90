import { verifies } from '@proto/requirements';
import { describe, expect, test } from 'vitest';
import { createResolvedTools } from './resolved-tools.ts';

describe('resolved tools', () => {
  verifies('S2-16', 'are remembered for the life of the session, the first of 100 000 too', () => {
    const resolved = createResolvedTools();
    for (let n = 0; n < 100_000; n++) resolved.add(`T${n}`);
    expect(resolved.size).toBe(100_000);
    expect(resolved.has('T0')).toBe(true);
    expect(resolved.has('T100000')).toBe(false);
  });

  verifies('S2-16', 'are bounded by option, the oldest forgotten first', () => {
    const resolved = createResolvedTools({ maxResolvedTools: 1000 });
    for (let n = 0; n < 1000; n++) resolved.add(`T${n}`);
    expect(resolved.has('T0')).toBe(true);
    resolved.add('T1000');
    expect(resolved.size).toBe(1000);
    expect([resolved.has('T0'), resolved.has('T1'), resolved.has('T1000')]).toEqual([false, true, true]);
  });

  verifies('S2-16', 'are forgotten up to what has been acknowledged, and no further', () => {
    const resolved = createResolvedTools();
    for (let n = 0; n < 50_000; n++) resolved.add(`T${n}`);
    const acknowledged = resolved.mark();
    for (let n = 50_000; n < 100_000; n++) resolved.add(`T${n}`);
    resolved.forgetUpTo(acknowledged);
    expect(resolved.size).toBe(50_000);
    // The first that the peer may still repeat.
    expect([resolved.has('T49999'), resolved.has('T50000')]).toEqual([false, true]);
    resolved.forgetUpTo(acknowledged);
    expect(resolved.size).toBe(50_000);
  });

  test('one that is resolved again is the newest', () => {
    const resolved = createResolvedTools({ maxResolvedTools: 2 });
    for (const id of ['T1', 'T2', 'T1', 'T3']) resolved.add(id);
    expect([resolved.has('T1'), resolved.has('T2'), resolved.has('T3')]).toEqual([true, false, true]);
  });
});
