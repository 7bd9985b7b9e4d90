/** Headers that are about one connection, and not about the request or its answer. */
const OF_ONE_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'expect'];

/** The headers of a message as they were written, without those that are about one connection. */
export function forwardedHeaders(raw: readonly string[], dropped: readonly string[] = []): string[] {
  const pairs = pairsOf(raw);
  const named = pairs.flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? namesIn(value) : []));
  const left = new Set([...OF_ONE_CONNECTION, ...named, ...dropped]);
  return pairs.filter(([name]) => !left.has(name.toLowerCase())).flat();
}

/** The head of an answer as text, with its headers as they were written. */
export function headText(line: string, raw: readonly string[]): string {
  return [line, ...pairsOf(raw).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}

function pairsOf(raw: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);
}

function namesIn(value: string): readonly string[] {
  return value.split(',').map((name) => name.trim().toLowerCase());
}
