// The published ACP agents that a host drives through `sjp acp-agent`, with a model on this machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * An agent: its command, its variables, and the files of its home folder.
 * @typedef {{ readonly command: readonly string[], readonly env?: Record<string, string>, readonly files?: Record<string, string> }} Agent
 * @typedef {{ readonly node: string, readonly opencode: string, readonly codexAcp: string, readonly codex: string, readonly qwen: string, readonly gemini: string }} Programs
 */

/**
 * The agents by name. `url` is the address of the model, and `home` the home folder.
 * @type {Record<string, (programs: Programs, place: { readonly url: string, readonly home: string }) => Agent>}
 */
export const AGENTS = {
  opencode: ({ opencode }, { url }) => ({
    command: [opencode, 'acp'],
    env: {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: 'local/scripted',
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'no-key' },
            models: { scripted: { name: 'Scripted', tool_call: true, limit: { context: 100_000, output: 8000 } } },
          },
        },
        permission: { bash: 'ask' },
        autoupdate: false,
        share: 'disabled',
      }),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
  }),
  'codex-acp': ({ node, codexAcp, codex }, { url, home }) => ({
    command: [node, codexAcp],
    env: {
      CODEX_PATH: codex,
      CODEX_HOME: join(home, 'codex'),
      CODEX_API_KEY: 'no-key',
      MODEL_PROVIDER: 'local',
      INITIAL_AGENT_MODE: 'read-only',
      NO_BROWSER: '1',
    },
    files: {
      'codex/config.toml': `model = "scripted"
model_provider = "local"
[model_providers.local]
name = "local"
base_url = "${url}/v1"
wire_api = "responses"
`,
    },
  }),
  'qwen-code': ({ node, qwen }, { url }) => ({
    command: [node, qwen, '--acp'],
    env: { OPENAI_API_KEY: 'no-key', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' },
    files: { '.qwen/settings.json': settings('openai') },
  }),
  gemini: ({ node, gemini }, { url }) => ({
    command: [node, gemini, '--acp', '-m', 'gemini-2.5-flash'],
    env: { GEMINI_API_KEY: 'no-key', GOOGLE_GEMINI_BASE_URL: url },
    files: { '.gemini/settings.json': settings('gemini-api-key') },
  }),
};

/** Both agents come from one code base. @param {string} selectedType */
function settings(selectedType) {
  return JSON.stringify({
    security: { auth: { selectedType } },
    general: { disableAutoUpdate: true },
    telemetry: { enabled: false },
    privacy: { usageStatisticsEnabled: false },
  });
}

/** Writes the files of an agent. @param {string} home @param {Agent} agent */
export function writeFiles(home, { files = {} }) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
}
