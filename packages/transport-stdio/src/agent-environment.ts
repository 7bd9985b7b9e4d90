import { withVariables } from './child-environment.ts';

/**
 * Creates an environment for `env` of `spawnAgent` from the variables of this process and the variables in `set`. `inheritEnvironment()` is the
 * default of `env`. The following variables of this process are left out unless they are in `set`: `SJP_*`, `NODE_OPTIONS`, and, if an agent started
 * this process, the variables that describe its session, such as `CLAUDECODE`, `CLAUDE_CODE_ENTRYPOINT` or `CLAUDE_CODE_SESSION_ACCESS_TOKEN`.
 */
export function inheritEnvironment(
  set: Readonly<Record<string, string>> = {},
  from: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const inherited = Object.entries(from).filter(([name]) => !isPrivateVariable(name));
  return withVariables(inherited, set);
}

/**
 * Creates an environment for `env` of `spawnAgent` from the variables on an allow-list and the variables in `set`. The case of names is ignored,
 * because Windows writes `Path`, and proxy variables may have upper-case or lower-case names. An agent needs at least `PATH` and `HOME`, and
 * `NETWORK_VARIABLES` if it connects through a proxy. `AGENT_VARIABLES` is a list for agents of remote clients.
 *
 * A name that ends with `*` stands for every variable whose name begins with the part before the `*`, except the variables that `inheritEnvironment`
 * leaves out. The names of those variables must be given in full.
 */
export function pickEnvironment(
  names: readonly string[],
  set: Readonly<Record<string, string>> = {},
  from: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  const allowed = new Set(names.map((name) => name.toUpperCase()));
  const beginnings = [...allowed].filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const picked = Object.entries(from).filter(([key]) => {
    const name = key.toUpperCase();
    if (allowed.has(name)) return true;
    return !isPrivateVariable(name) && beginnings.some((beginning) => name.startsWith(beginning));
  });
  return withVariables(picked, set);
}

/**
 * The variables that name a proxy and a company's certificates, for use with `pickEnvironment`. The address of a proxy may contain a password, which
 * stays private in an environment, whereas every user of the machine can see it in an argument.
 */
export const NETWORK_VARIABLES: readonly string[] = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
];

const PLACES = 'PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP XDG_* IS_SANDBOX';
const LANGUAGE_AND_TERMINAL =
  'LANG LANGUAGE LC_* LOCALE_ARCHIVE TZ TERM TERMINFO COLORTERM NO_COLOR FORCE_COLOR NIX_SSL_CERT_FILE';
/** On Windows, many programs do not start without some of these variables. */
const WINDOWS =
  'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA ' +
  'ALLUSERSPROFILE PUBLIC PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES COMMONPROGRAMFILES(X86) PSMODULEPATH ' +
  'NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE';
const AGENTS =
  'ANTHROPIC_* CLAUDE_* API_TIMEOUT_MS BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH MAX_THINKING_TOKENS ' +
  'MCP_TIMEOUT MCP_TOOL_TIMEOUT MCP_CONNECTION_NONBLOCKING MAX_MCP_OUTPUT_TOKENS DISABLE_AUTOUPDATER DISABLE_TELEMETRY ' +
  'DISABLE_ERROR_REPORTING DISABLE_PROMPT_CACHING DO_NOT_TRACK';
const CLOUDS = 'AWS_* GOOGLE_* GCLOUD_* GCP_* CLOUDSDK_* CLOUD_ML_* VERTEX_* AZURE_*';

/**
 * The variables that an agent needs from its machine, for use with `pickEnvironment`. A server that runs agents for remote clients passes only these
 * variables of its environment, as `sjp serve` does.
 */
export const AGENT_VARIABLES: readonly string[] = /* @__PURE__ */ agentVariables();

// A function, so that bundlers omit the names from programs that do not use them.
function agentVariables(): readonly string[] {
  const names = [PLACES, LANGUAGE_AND_TERMINAL, WINDOWS, AGENTS, CLOUDS].flatMap((list) => list.split(' '));
  return [...names, ...NETWORK_VARIABLES];
}

// `CLAUDE_CODE_*` variables that describe the session of an agent that started this process: its id, its host and the requests that the host can
// answer, its token, and its file descriptors. A child with these variables would refuse to start, or act in the name of that session.
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
 * Whether a variable is meant only for this process. A child receives such a variable only if its full name is given. The private variables are
 * `SJP_*` (the tokens and flags of `sjp`), `NODE_OPTIONS`, and the variables that describe the session of an agent that started this process.
 */
function isPrivateVariable(name: string): boolean {
  return PRIVATE.test(name);
}
