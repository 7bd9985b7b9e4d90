import { type Infer, lazy, openEnum } from './schema.ts';

/** Schema of `PermissionMode`. */
export const permissionMode = lazy(() =>
  openEnum(['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto']),
);

/** How much the agent may do without asking. */
export type PermissionMode = Infer<typeof permissionMode>;
