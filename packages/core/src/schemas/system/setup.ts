import * as z from 'zod/mini';
import { systemMessage } from '../agent-message.ts';
import { slashCommand } from '../slash-command.ts';
import { openEnum, protocol } from '../open.ts';

export const pluginInstallMessage = systemMessage('plugin_install', {
  status: openEnum(['started', 'installed', 'failed', 'completed']),
  name: z.optional(z.string()).check(z.describe('The marketplace that the message is about.')),
  error: z.optional(z.string()).check(z.describe('A text from outside, not to be trusted.')),
}).register(protocol, { id: 'SDKPluginInstallMessage', description: 'Plugins are being installed.' });

export const commandsChangedMessage = systemMessage('commands_changed', { commands: z.array(slashCommand) }).register(protocol, {
  id: 'SDKCommandsChangedMessage',
  description: 'All slash commands there are now: replaces what was known.',
});
