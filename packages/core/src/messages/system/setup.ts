import { systemMessage } from '../agent-message.ts';
import { optional } from '../object-schema.ts';
import { array, type Infer, lazy, openEnum, string } from '../schema.ts';
import { slashCommand } from '../slash-command.ts';

/** Schema of `SDKPluginInstallMessage`. */
export const pluginInstallMessage = lazy(() =>
  systemMessage('plugin_install', {
    status: openEnum(['started', 'installed', 'failed', 'completed']),
    name: optional(string),
    error: optional(string),
  }),
);

/** Plugins are being installed. */
export type SDKPluginInstallMessage = Infer<typeof pluginInstallMessage>;

/** Schema of `SDKCommandsChangedMessage`. */
export const commandsChangedMessage = lazy(() =>
  systemMessage('commands_changed', {
    commands: array(slashCommand),
  }),
);

/** All slash commands there are now: replaces what was known. */
export type SDKCommandsChangedMessage = Infer<typeof commandsChangedMessage>;
