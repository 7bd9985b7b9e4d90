/** How often an agent that failed is started again, one attempt after the other. */
export interface RestartPolicy {
  readonly maxAttempts: number;
}

/** `never`, or `on-failure:N`; undefined for anything else. */
export function parseRestart(text: string): RestartPolicy | undefined {
  if (text === 'never') return { maxAttempts: 0 };
  const [, attempts] = /^on-failure:(\d{1,6})$/.exec(text) ?? [];
  return attempts === undefined ? undefined : { maxAttempts: Number(attempts) };
}
