// What an agent tells the processes it starts about its own session. One among them that is an agent itself would take it for its
// own: which session it is, whom to send messages and with which token.
const NESTED_SESSION =
  /^(?:AI_AGENT|CLAUDECODE|CLAUDE_(?:EFFORT|PID)|CLAUDE_CODE_(?:CHILD_\w+|ENTRYPOINT|EXECPATH|MESSAGING_\w+|SESSION_(?:ATTENDED|ID)))$/;

/**
 * An environment of all variables of this process and of those that are set here, without what an agent that has started this process
 * tells about its own session. For `env` of `spawnAgent`, whose default it is.
 */
export function inheritEnvironment(
  set: Readonly<Record<string, string>> = {},
  from: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const inherited = Object.entries(from).filter(([name]) => !NESTED_SESSION.test(name));
  return { ...Object.fromEntries(inherited), ...set };
}
