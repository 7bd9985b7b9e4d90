import { NETWORK_VARIABLES } from './network-variables.ts';

/**
 * The variables that an agent needs of the machine it runs on, for `pickEnvironment`: where a server runs agents for clients elsewhere,
 * everything else of its environment is no business of theirs. `sjp serve` passes these.
 */
export const AGENT_VARIABLES: readonly string[] = [
  // Where programs, the user and temporary files are.
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'XDG_*', 'IS_SANDBOX'],
  // Language, time and the terminal.
  ...['LANG', 'LANGUAGE', 'LC_*', 'LOCALE_ARCHIVE', 'TZ', 'TERM', 'TERMINFO', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR'],
  // Windows: programs do not start without some of these.
  ...[
    'SYSTEMROOT',
    'SYSTEMDRIVE',
    'WINDIR',
    'COMSPEC',
    'PATHEXT',
    'OS',
    'USERNAME',
    'USERPROFILE',
    'HOMEDRIVE',
    'HOMEPATH',
  ],
  ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'ALLUSERSPROFILE', 'PUBLIC', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
  ...['PROGRAMW6432', 'COMMONPROGRAMFILES', 'COMMONPROGRAMFILES(X86)', 'PSMODULEPATH', 'NUMBER_OF_PROCESSORS'],
  ...['PROCESSOR_ARCHITECTURE'],
  // The network.
  ...NETWORK_VARIABLES,
  'NIX_SSL_CERT_FILE',
  // The agent's own settings and credentials, and those of the clouds that models run on.
  ...[
    'ANTHROPIC_*',
    'CLAUDE_*',
    'AWS_*',
    'GOOGLE_*',
    'GCLOUD_*',
    'GCP_*',
    'CLOUDSDK_*',
    'CLOUD_ML_*',
    'VERTEX_*',
    'AZURE_*',
  ],
  ...[
    'API_TIMEOUT_MS',
    'BASH_DEFAULT_TIMEOUT_MS',
    'BASH_MAX_TIMEOUT_MS',
    'BASH_MAX_OUTPUT_LENGTH',
    'MAX_THINKING_TOKENS',
  ],
  ...['MCP_TIMEOUT', 'MCP_TOOL_TIMEOUT', 'MCP_CONNECTION_NONBLOCKING', 'MAX_MCP_OUTPUT_TOKENS'],
  ...['DISABLE_AUTOUPDATER', 'DISABLE_TELEMETRY', 'DISABLE_ERROR_REPORTING', 'DISABLE_PROMPT_CACHING', 'DO_NOT_TRACK'],
];
