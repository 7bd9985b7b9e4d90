// What says something about one session or one process, and is wrong, or a secret, for another: which session it is, who drives it and
// what that host can answer, with which token and whom it reports to, and which numbers its open files have. An agent that takes these
// for its own refuses to start, or speaks in the name of the session that started it.
const OUTER_CODE_SESSION = [
  'AGENT_ID',
  'AGENT_NAME',
  'BRIDGE_\\w+',
  'CHILD_\\w+',
  'CONTAINER_ID',
  'ENTRYPOINT',
  'ENVIRONMENT_(?:KIND|RUNNER_VERSION)',
  'EXECPATH',
  'MESSAGING_\\w+',
  'PARENT_\\w+',
  'POST_FOR_SESSION_INGRESS_V2',
  'REMOTE(?:_\\w+)?',
  'RESUME_REASON',
  'SDK_(?:HAS|READS)_\\w+',
  'SESSION_\\w+',
  'SSE_PORT',
  'USE_CCR_V2',
  'WORKER_\\w+',
  '\\w+_FILE_DESCRIPTOR',
].join('|');
const PRIVATE = new RegExp(
  `^(?:SJP_.*|NODE_OPTIONS|AI_AGENT|CLAUDECODE|CLAUDE_(?:EFFORT|PID|AGENT_SDK_VERSION|SESSION_INGRESS_\\w+|CODE_(?:${OUTER_CODE_SESSION})))$`,
  'i',
);

/**
 * Whether a variable is for this process alone, so that a child gets it only if somebody names it: `SJP_*` with tokens and flags of
 * `sjp`, `NODE_OPTIONS`, and what an agent that has started this process says about its own session.
 */
export function isPrivateVariable(name: string): boolean {
  return PRIVATE.test(name);
}
