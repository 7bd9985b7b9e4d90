/** Reads stdin at a rate in megabytes per second, to its end. */
export async function run([megabytesPerSecond = '']: readonly string[]): Promise<void> {
  const rate = Number(megabytesPerSecond) * 1e6;
  const start = performance.now();
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    const ahead = (bytes / rate) * 1000 - (performance.now() - start);
    if (ahead > 2) await new Promise((resolve) => setTimeout(resolve, ahead));
  }
}
