import { ControlError } from '../../errors.ts';
import type { WireMessage } from '../../framing/parse-line.ts';
import type { AgentOptions } from './agent-options.ts';
import type { ControlRequest } from '../control-frames.ts';
import type { RequestHandler } from '../request-handlers.ts';

/** What the host may change while the session runs; the next `system/init` shows it. */
export interface AgentSettings {
  model: string;
  permissionMode: string;
}

/** What the control requests of a host act on. */
export interface AgentControlsOptions {
  readonly seams: AgentOptions;
  readonly settings: AgentSettings;
  readonly emit: (message: WireMessage) => void;
  /** Interrupts the running turn, and forgets what waits where that is asked for; gives the receipt. */
  readonly interrupt: (cancelQueued: boolean) => object;
  /** Takes a prompt that waits out of the queue; false where none with that id waits. */
  readonly cancelPrompt: (uuid: string) => boolean;
}

const DEFAULT_MODEL = 'default';
// `manual` is what recent hosts call the default mode.
const MODES = ['default', 'manual', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'];

/** The least that every host understands as an answer to `initialize`. */
const CAPABILITIES = {
  commands: [],
  agents: [],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [],
  account: {},
};

/** The control requests that every agent serves, by subtype. What a seam throws is the text of the refusal. */
export function createAgentControls(options: AgentControlsOptions): Readonly<Record<string, RequestHandler>> {
  const { seams, settings, emit, interrupt, cancelPrompt } = options;
  return {
    // Answered like the first when it is repeated: hosts do that after they have lost the answer.
    initialize: (request) => ({ ...CAPABILITIES, ...seams.capabilities?.(request) }),
    interrupt: ({ cancel_queued }) => interrupt(cancel_queued === true),
    cancel_async_message(request) {
      const uuid = textMember(request, 'message_uuid');
      return { cancelled: cancelPrompt(uuid), message_uuid: uuid };
    },
    async set_permission_mode(request) {
      const asked = textMember(request, 'mode');
      if (!MODES.includes(asked)) throw new ControlError(`unknown permission mode: ${asked}`, { code: 'invalid_mode' });
      const mode = asked === 'manual' ? 'default' : asked;
      await seams.applyPermissionMode?.(mode);
      settings.permissionMode = mode;
      emit({ type: 'system', subtype: 'status', status: null, permissionMode: mode });
      return { mode };
    },
    async set_model({ model }) {
      const asked = typeof model === 'string' && model !== DEFAULT_MODEL ? model : undefined;
      settings.model = (await seams.applyModel?.(asked)) ?? asked ?? seams.model ?? DEFAULT_MODEL;
      return { model: settings.model };
    },
    async set_max_thinking_tokens({ max_thinking_tokens: tokens }) {
      if (tokens !== undefined && tokens !== null && typeof tokens !== 'number') {
        throw invalidRequest('max_thinking_tokens must be a number or null');
      }
      await seams.applyThinking?.(tokens);
    },
    // A success in either case: the host cannot do anything about a server that has gone.
    mcp_message: ({ server_name: name, message }) => seams.mcpRoute?.(String(name), message),
    rewind_files(request) {
      if (seams.rewind === undefined) throw new ControlError('File rewinding is not enabled.');
      return seams.rewind(request);
    },
    mcp_status: async () => ({ mcpServers: (await seams.mcpStatus?.()) ?? [] }),
    ...seams.handlers,
  };
}

function textMember(request: ControlRequest, member: string): string {
  const value = request[member];
  if (typeof value !== 'string') throw invalidRequest(`${member} must be a string`);
  return value;
}

function invalidRequest(text: string): ControlError {
  return new ControlError(text, { code: 'invalid_request' });
}
