import * as z from 'zod/mini';
import { hookInputOf, specificOutputOf } from './base.ts';
import { openEnum, protocol } from '../open.ts';

/** The inputs of the hooks around files and settings. */
export const workspaceHookInputs = {
  InstructionsLoaded: hookInputOf('InstructionsLoaded', {
    file_path: z.string(),
    memory_type: openEnum(['User', 'Project', 'Local', 'Managed']),
    load_reason: openEnum(['session_start', 'nested_traversal', 'path_glob_match', 'include', 'compact']),
    globs: z.optional(z.array(z.string())),
    trigger_file_path: z.optional(z.string()),
    parent_file_path: z.optional(z.string()),
  }).register(protocol, { id: 'InstructionsLoadedHookInput', description: 'A file of instructions was read.' }),
  ConfigChange: hookInputOf('ConfigChange', {
    source: openEnum(['user_settings', 'project_settings', 'local_settings', 'policy_settings', 'skills']),
    file_path: z.optional(z.string()),
  }).register(protocol, { id: 'ConfigChangeHookInput', description: 'A file of settings or skills changed.' }),
  CwdChanged: hookInputOf('CwdChanged', { old_cwd: z.string(), new_cwd: z.string() }).register(protocol, {
    id: 'CwdChangedHookInput',
    description: 'The working directory changed.',
  }),
  DirectoryAdded: hookInputOf('DirectoryAdded', {
    directory: z.string(),
    source: openEnum(['slash_command', 'register_repo_root']),
  }).register(protocol, {
    id: 'DirectoryAddedHookInput',
    description: 'A directory was added to those the agent may use.',
  }),
  FileChanged: hookInputOf('FileChanged', {
    file_path: z.string(),
    event: openEnum(['change', 'add', 'unlink']),
  }).register(protocol, { id: 'FileChangedHookInput', description: 'A watched file changed.' }),
  WorktreeCreate: hookInputOf('WorktreeCreate', { name: z.string() }).register(protocol, {
    id: 'WorktreeCreateHookInput',
    description: 'A worktree is wanted; the hook makes it and answers with its path.',
  }),
  WorktreeRemove: hookInputOf('WorktreeRemove', { worktree_path: z.string() }).register(protocol, {
    id: 'WorktreeRemoveHookInput',
    description: 'A worktree is no longer wanted.',
  }),
};

/** The answers of the hooks around files and settings that are particular to their event. */
export const workspaceHookOutputs = {
  CwdChanged: specificOutputOf('CwdChanged', { watchPaths: z.optional(z.array(z.string())) }).register(protocol, {
    id: 'CwdChangedHookSpecificOutput',
    description: 'What a hook of `CwdChanged` may answer beside the common members.',
  }),
  FileChanged: specificOutputOf('FileChanged', { watchPaths: z.optional(z.array(z.string())) }).register(protocol, {
    id: 'FileChangedHookSpecificOutput',
    description: 'What a hook of `FileChanged` may answer beside the common members.',
  }),
  WorktreeCreate: specificOutputOf('WorktreeCreate', { worktreePath: z.string() }).register(protocol, {
    id: 'WorktreeCreateHookSpecificOutput',
    description: 'What a hook of `WorktreeCreate` may answer beside the common members.',
  }),
};
