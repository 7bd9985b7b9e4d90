import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(countsSilence = true) {
  const seen = { beats: 0, silences: 0 };
  const events = { onBeat: () => void seen.beats++, onSilence: () => void seen.silences++, countsSilence };
  const heartbeat = startHeartbeat(events, { silenceMs: 300 });
  return { seen, events, heartbeat };
}

test('beats three times in the time of silence, and reports the silence once', () => {
  const { seen } = setUp();
  vi.advanceTimersByTime(399);
  expect(seen).toEqual({ beats: 3, silences: 0 });
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual({ beats: 3, silences: 1 });
  expect(vi.getTimerCount()).toBe(0);
});

test('a link on which something arrives is not silent', () => {
  const { seen, heartbeat } = setUp();
  for (let n = 0; n < 20; n++) {
    vi.advanceTimersByTime(250);
    heartbeat.onReceived();
  }
  expect(seen.silences).toBe(0);
  expect(seen.beats).toBe(50);
});

test('while this side does not read, and on a link that cannot be asked, silence means nothing', () => {
  const { seen, events, heartbeat } = setUp();
  events.countsSilence = false;
  vi.advanceTimersByTime(3000);
  expect(seen.silences).toBe(0);
  events.countsSilence = true;
  heartbeat.onReceived();
  vi.advanceTimersByTime(400);
  expect(seen.silences).toBe(1);
  const mute = setUp(false);
  vi.advanceTimersByTime(3000);
  expect(mute.seen).toEqual({ beats: 30, silences: 0 });
  mute.heartbeat.stop();
});

test('after a sleep of the machine the other side is asked before the link is given up', () => {
  const { seen } = setUp();
  vi.advanceTimersByTime(200);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(100);
  expect(seen.silences).toBe(0);
  vi.advanceTimersByTime(200);
  expect(seen.silences).toBe(1);
});

test('a time of 0 sets no timer, and a heart that has stopped does not beat', () => {
  startHeartbeat({ onBeat() {}, onSilence() {} }, { silenceMs: 0 });
  expect(vi.getTimerCount()).toBe(0);
  const { seen, heartbeat } = setUp();
  heartbeat.stop();
  vi.advanceTimersByTime(1000);
  expect(seen).toEqual({ beats: 0, silences: 0 });
});
