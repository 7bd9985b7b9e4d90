/** One command of a prompt: its argument in, the pieces of its answer out, as they come. It ends early when the signal aborts. */
export type Command = (argument: string, signal: AbortSignal) => AsyncIterable<string>;

/** Cuts a text into pieces as a model would stream it: words with the space behind them. */
export function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
