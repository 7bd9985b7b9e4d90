import { openEnum } from './open.ts';

export const permissionMode = openEnum(['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'], {
  id: 'PermissionMode',
  description: 'How much the agent may do without asking.',
});
