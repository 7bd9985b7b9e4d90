import type { Observed } from './observed.ts';

/** A shorter token could occur in a text by chance. */
export const MIN_LENGTH = 8;

/** The tokens of a case: the tokens that were sent and the tokens that workers received. */
export function tokensOf({ exchanges }: Observed): ReadonlySet<string> {
  const tokens = exchanges.flatMap(({ token, text }) => [token, /"worker_jwt":"([^"]+)"/.exec(text)?.[1]]);
  return new Set(tokens.filter((token) => token !== undefined && token.length >= MIN_LENGTH) as string[]);
}

/** Reports and traces are shown to others, so each token is replaced with `TOKEN`. */
export function redact<T>(value: T, tokens: Iterable<string>): T {
  let text = JSON.stringify(value);
  for (const token of tokens) text = text.replaceAll(JSON.stringify(token).slice(1, -1), 'TOKEN');
  return JSON.parse(text) as T;
}
