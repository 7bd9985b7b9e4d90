import type { RestartPolicy } from '@proto/worker';

/** Reads `never` or `on-failure:N`; undefined for any other text. */
export function parseRestart(text: string): RestartPolicy | undefined {
  if (text === 'never') return { maxAttempts: 0 };
  const [, attempts] = /^on-failure:(\d{1,6})$/.exec(text) ?? [];
  return attempts === undefined ? undefined : { maxAttempts: Number(attempts) };
}
