import { ControlError, type RequestHandler } from '@proto/core';
import type { AgentOptions } from './agent-options.ts';
import { invalidRequest, textMember } from './control-members.ts';
import { createMcpControls, type McpControlsOptions } from './mcp-controls.ts';
import { createSessionControls, type SessionControlsOptions } from './session-controls.ts';
import type { SettingsChanges } from './settings-changes.ts';

/** What the host may change while the session runs; the next `system/init` shows it. */
export interface AgentSettings {
  model: string;
  permissionMode: string;
}

/** What the control requests of a host act on. */
export interface AgentControlsOptions extends McpControlsOptions, SessionControlsOptions {
  readonly seams: AgentOptions;
  /** Interrupts the running turn, and forgets what waits where that is asked for; gives the receipt. */
  readonly interrupt: (cancelQueued: boolean) => object;
  readonly initialize: RequestHandler;
  readonly changes: Pick<SettingsChanges, 'changeModel' | 'changePermissionMode'>;
  /** Takes a prompt that waits out of the queue; false where none with that id waits. */
  readonly cancelPrompt: (uuid: string) => boolean;
}

/** The control requests that every agent serves, by subtype. What a seam throws is the text of the refusal. */
export function createAgentControls(options: AgentControlsOptions): Readonly<Record<string, RequestHandler>> {
  const { seams, changes, initialize, interrupt, cancelPrompt } = options;
  return {
    initialize,
    interrupt: ({ cancel_queued }) => interrupt(cancel_queued === true),
    cancel_async_message(request) {
      const uuid = textMember(request, 'message_uuid');
      return { cancelled: cancelPrompt(uuid), message_uuid: uuid };
    },
    set_permission_mode: async (request) => ({ mode: await changes.changePermissionMode(textMember(request, 'mode')) }),
    async set_model(request) {
      const model = await changes.changeModel(request['model']);
      // The conversation shows it as published agents do, ahead of the answer.
      const content = `<local-command-stdout>Set model to \`${model}\`</local-command-stdout>`;
      options.emit({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, isReplay: true });
      return { model };
    },
    async set_max_thinking_tokens({ max_thinking_tokens: tokens }) {
      if (tokens !== undefined && tokens !== null && typeof tokens !== 'number') {
        throw invalidRequest('max_thinking_tokens must be a number or null');
      }
      await seams.applyThinking?.(tokens);
    },
    rewind_files(request) {
      if (seams.rewind === undefined) throw new ControlError('File rewinding is not enabled.');
      return seams.rewind(request);
    },
    ...createMcpControls(options),
    ...createSessionControls(options),
    ...seams.handlers,
  };
}
