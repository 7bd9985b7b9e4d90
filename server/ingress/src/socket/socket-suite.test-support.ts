import { expect, onTestFinished, vi } from 'vitest';
import type { JsonObject } from '../json/values.ts';
import { type follow, startServer } from './socket.test-support.ts';

/** Registers a clean-up for the end of the test; the last one registered runs first. */
export function afterwards(cleanUp: () => unknown): void {
  onTestFinished(async () => void (await cleanUp()));
}

/** Starts a server for the time of a test. */
export async function start(options: Parameters<typeof startServer>[0] = {}) {
  const started = await startServer(options);
  afterwards(() => started.server.close());
  return started;
}

/** Terminates a client at the end of the test. */
export function later<T extends { readonly socket: { terminate(): void } }>(opened: T): T {
  afterwards(() => opened.socket.terminate());
  return opened;
}

export function textOf({ message }: JsonObject): string {
  const { content } = message as { content: string | [{ text: string }] };
  return typeof content === 'string' ? content : content[0].text;
}

/** Whether a line of the resumable mode is a message. */
export function isMessage({ data, event }: JsonObject): boolean {
  return data !== undefined && event === undefined;
}

/** Waits until the session has room for another stream. */
export function whenOneHasLeft(session: { view(): ReturnType<typeof follow> }): Promise<void> {
  return vi.waitFor(
    async () => {
      const further = later(session.view());
      expect(await Promise.race([further.closed, further.take(1).catch(() => 1013)])).not.toBe(1013);
    },
    { timeout: 10_000, interval: 100 },
  );
}
