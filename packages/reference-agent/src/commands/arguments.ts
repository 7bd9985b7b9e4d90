/** The argument of a command that takes an object. */
export function jsonOf(command: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Told below: the parser's own error would quote the text.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${command} takes a JSON object`);
  }
  return value as Readonly<Record<string, unknown>>;
}

/** The argument of a command that takes a while. */
export function secondsOf(command: string, argument: string): number {
  const seconds = Number(argument);
  if (argument === '' || !(seconds >= 0 && Number.isFinite(seconds))) {
    throw new Error(`${command} takes a number of seconds, not '${argument}'`);
  }
  return seconds;
}
