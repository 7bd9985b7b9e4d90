/** The argument of a command that takes a while. */
export function secondsOf(command: string, argument: string): number {
  const seconds = Number(argument);
  if (argument === '' || !(seconds >= 0 && Number.isFinite(seconds))) {
    throw new Error(`${command} takes a number of seconds, not '${argument}'`);
  }
  return seconds;
}
