/** Cuts a text into pieces as a model would stream it: words with the space behind them. */
export function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
