import { optional } from '../object-schema.ts';
import { array, type Infer, lazy, openEnum, string } from '../schema.ts';
import { hookInputOf, specificOutputOf } from './base.ts';

/** The inputs of the hooks around files and settings. */
export const workspaceHookInputs = {
  InstructionsLoaded: lazy(() =>
    hookInputOf('InstructionsLoaded', {
      file_path: string,
      memory_type: openEnum(['User', 'Project', 'Local', 'Managed']),
      load_reason: openEnum(['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact']),
      globs: optional(array(string)),
      trigger_file_path: optional(string),
      parent_file_path: optional(string),
    }),
  ),
  ConfigChange: lazy(() =>
    hookInputOf('ConfigChange', {
      source: openEnum(['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills']),
      file_path: optional(string),
    }),
  ),
  CwdChanged: lazy(() => hookInputOf('CwdChanged', { old_cwd: string, new_cwd: string })),
  DirectoryAdded: lazy(() =>
    hookInputOf('DirectoryAdded', { directory: string, source: openEnum(['slash_command', 'register_repo_root']) }),
  ),
  FileChanged: lazy(() =>
    hookInputOf('FileChanged', { file_path: string, event: openEnum(['change', 'add', 'unlink']) }),
  ),
  WorktreeCreate: lazy(() => hookInputOf('WorktreeCreate', { name: string })),
  WorktreeRemove: lazy(() => hookInputOf('WorktreeRemove', { worktree_path: string })),
};

/** The answers of the hooks around files and settings that are particular to their event. */
export const workspaceHookOutputs = {
  CwdChanged: lazy(() => specificOutputOf('CwdChanged', { watchPaths: optional(array(string)) })),
  FileChanged: lazy(() => specificOutputOf('FileChanged', { watchPaths: optional(array(string)) })),
  WorktreeCreate: lazy(() => specificOutputOf('WorktreeCreate', { worktreePath: string })),
};

/** A file of instructions was read. */
export type InstructionsLoadedHookInput = Infer<typeof workspaceHookInputs.InstructionsLoaded>;

/** A file of settings or skills changed. */
export type ConfigChangeHookInput = Infer<typeof workspaceHookInputs.ConfigChange>;

/** The working directory changed. */
export type CwdChangedHookInput = Infer<typeof workspaceHookInputs.CwdChanged>;

/** A directory was added to those the agent may use. */
export type DirectoryAddedHookInput = Infer<typeof workspaceHookInputs.DirectoryAdded>;

/** A watched file changed. */
export type FileChangedHookInput = Infer<typeof workspaceHookInputs.FileChanged>;

/** A worktree is wanted; the hook makes it and answers with its path. */
export type WorktreeCreateHookInput = Infer<typeof workspaceHookInputs.WorktreeCreate>;

/** A worktree is no longer wanted. */
export type WorktreeRemoveHookInput = Infer<typeof workspaceHookInputs.WorktreeRemove>;

/** What a hook of `CwdChanged` may answer beside the common members. */
export type CwdChangedHookSpecificOutput = Infer<typeof workspaceHookOutputs.CwdChanged>;

/** What a hook of `FileChanged` may answer beside the common members. */
export type FileChangedHookSpecificOutput = Infer<typeof workspaceHookOutputs.FileChanged>;

/** What a hook of `WorktreeCreate` may answer beside the common members. */
export type WorktreeCreateHookSpecificOutput = Infer<typeof workspaceHookOutputs.WorktreeCreate>;
