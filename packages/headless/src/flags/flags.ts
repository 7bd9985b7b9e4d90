import {
  anyText,
  jsonObject,
  jsonOrPath,
  list,
  listOf,
  oneOf,
  positiveNumber,
  type ReadValue,
  repeated,
  toolList,
  wholeNumber,
} from './flag-values.ts';
import type { FlagOptions } from './options.ts';

/** A flag in commander's notation. `<value>` is a required value, `[value]` an optional value, and `<value...>` one or several words. */
export interface Flag<T> {
  readonly notation: string;
  /** If this function is absent, the flag is a switch, and its value is `true`. */
  readonly read?: ReadValue<T>;
}

function valued<T>(notation: string, read: ReadValue<T>): Flag<T> {
  return { notation, read };
}

const present = (notation: string): Flag<boolean> => ({ notation });
const text = (notation: string): Flag<string> => valued(notation, anyText);
const optionalText = (notation: string): Flag<string | true> => ({ notation });
const texts = (notation: string): Flag<readonly string[]> => valued(notation, repeated(anyText));

const MODES = ['default', 'manual', 'acceptEdits', 'auto', 'bypassPermissions', 'dontAsk', 'plan'];

/** Flags that have no effect are accepted too, because hosts pass them to every agent. */
export const FLAGS: { readonly [Name in keyof FlagOptions]-?: Flag<NonNullable<FlagOptions[Name]>> } = {
  print: present('-p, --print'),
  outputFormat: valued('--output-format <format>', oneOf('text', 'json', 'stream-json')),
  inputFormat: valued('--input-format <format>', oneOf('text', 'stream-json')),
  verbose: present('--verbose'),
  systemPrompt: text('--system-prompt <text>'),
  appendSystemPrompt: text('--append-system-prompt <text>'),
  systemPromptFile: text('--system-prompt-file <path>'),
  model: text('--model <id>'),
  fallbackModel: valued('--fallback-model <ids>', list),
  maxTurns: valued('--max-turns <count>', wholeNumber(1)),
  maxBudgetUsd: valued('--max-budget-usd <amount>', positiveNumber),
  taskBudget: valued('--task-budget <tokens>', wholeNumber(1)),
  thinking: valued('--thinking <mode>', oneOf('adaptive', 'disabled', 'enabled')),
  thinkingDisplay: valued('--thinking-display <display>', oneOf('summarized', 'omitted')),
  maxThinkingTokens: valued('--max-thinking-tokens <tokens>', wholeNumber(0)),
  effort: text('--effort <level>'),
  betas: valued('--betas <names...>', list),
  allowedTools: valued('--allowed-tools, --allowedTools <tools...>', list),
  disallowedTools: valued('--disallowed-tools, --disallowedTools <tools...>', list),
  tools: valued('--tools <tools...>', toolList),
  permissionMode: valued('--permission-mode <mode>', oneOf(...MODES)),
  permissionPromptTool: text('--permission-prompt-tool <name>'),
  permissionPrompts: valued('--permission-prompts <surface>', oneOf('host', 'none')),
  allowDangerouslySkipPermissions: present('--allow-dangerously-skip-permissions'),
  dangerouslySkipPermissions: present('--dangerously-skip-permissions'),
  continue: present('-c, --continue'),
  resume: optionalText('-r, --resume [session]'),
  sessionId: text('--session-id <uuid>'),
  forkSession: present('--fork-session'),
  resumeSessionAt: text('--resume-session-at <uuid>'),
  resumeDropsTurn: text('--resume-drops-turn <uuid>'),
  teleport: optionalText('--teleport [session]'),
  sessionLayout: valued('--session-layout <layout>', oneOf('own', 'published')),
  sessionPersistence: present('--no-session-persistence'),
  sessionMirror: present('--session-mirror'),
  settings: valued('--settings <json-or-path>', jsonOrPath),
  managedSettings: valued('--managed-settings <json>', jsonObject),
  settingSources: valued('--setting-sources <sources>', listOf('user', 'project', 'local')),
  addDir: texts('--add-dir <paths...>'),
  projectConfigRoot: text('--project-config-root <path>'),
  mcpConfig: valued('--mcp-config <json-or-path...>', repeated(jsonOrPath)),
  strictMcpConfig: present('--strict-mcp-config'),
  pluginDir: texts('--plugin-dir <paths...>'),
  pluginDirNoMcp: texts('--plugin-dir-no-mcp <paths...>'),
  agent: text('--agent <name>'),
  agents: valued('--agents <json>', jsonObject),
  jsonSchema: valued('--json-schema <json>', jsonObject),
  includePartialMessages: present('--include-partial-messages'),
  includeHookEvents: present('--include-hook-events'),
  replayUserMessages: present('--replay-user-messages'),
  forwardSubagentText: present('--forward-subagent-text'),
  promptSuggestions: present('--prompt-suggestions'),
  excludeDynamicSystemPromptSections: present('--exclude-dynamic-system-prompt-sections'),
  systemPromptSnapshot: valued('--system-prompt-snapshot <state>', oneOf('on', 'off')),
  debug: optionalText('-d, --debug [filter]'),
  debugFile: text('--debug-file <path>'),
  debugToStderr: present('--debug-to-stderr'),
  awaitInitialize: present('--await-initialize'),
  sdkUrl: text('--sdk-url <url>'),
  mirror: text('--mirror <url>'),
  enableAuthStatus: present('--enable-auth-status'),
  workload: text('--workload <name>'),
  rewindFiles: text('--rewind-files <uuid>'),
  init: present('--init'),
  maintenance: present('--maintenance'),
};
