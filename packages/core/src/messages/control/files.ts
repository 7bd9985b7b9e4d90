import * as z from 'zod/mini';
import { type Infer, lazy, object, openEnum, optional } from '../schema.ts';

/** Requests about files. */
export const fileRequests = {
  file_suggestions: lazy(() => object({ subtype: z.literal('file_suggestions'), query: z.string() })),
  read_file: lazy(() =>
    object({
      subtype: z.literal('read_file'),
      path: z.string(),
      max_bytes: optional(z.number()),
      encoding: optional(openEnum(['utf-8', 'base64'])),
    }),
  ),
  seed_read_state: lazy(() => object({ subtype: z.literal('seed_read_state'), path: z.string(), mtime: z.number() })),
  rewind_files: lazy(() =>
    object({ subtype: z.literal('rewind_files'), user_message_id: z.string(), dry_run: optional(z.boolean()) }),
  ),
  register_repo_root: lazy(() =>
    object({
      subtype: z.literal('register_repo_root'),
      directory: z.string(),
      reload_claude_md: optional(z.boolean()),
      reload_plugins: optional(z.boolean()),
      reload_skills: optional(z.boolean()),
    }),
  ),
};

/** Asks which files the user may mean. */
export type SDKControlFileSuggestionsRequest = Infer<typeof fileRequests.file_suggestions>;

/** Reads a file, as far as the rules of reading allow. */
export type SDKControlReadFileRequest = Infer<typeof fileRequests.read_file>;

/** Tells that the host has read a file, so that the agent may edit it. */
export type SDKControlSeedReadStateRequest = Infer<typeof fileRequests.seed_read_state>;

/** Puts the files back to what they were before a prompt. */
export type SDKControlRewindFilesRequest = Infer<typeof fileRequests.rewind_files>;

/** Adds a directory below the working directory as a root. */
export type SDKControlRegisterRepoRootRequest = Infer<typeof fileRequests.register_repo_root>;

/** The payloads of their answers. */
export const fileResponses = {
  file_suggestions: lazy(() => object({ suggestions: optional(z.array(z.unknown())), cwd: optional(z.string()) })),
  read_file: lazy(() =>
    object({
      contents: z.string(),
      absPath: z.string(),
      truncated: optional(z.boolean()),
      encoding: optional(openEnum(['base64'])),
      lossy: optional(z.boolean()),
    }),
  ),
  seed_read_state: lazy(() => object({})),
  rewind_files: lazy(() =>
    object({
      canRewind: z.boolean(),
      error: optional(z.string()),
      filesChanged: optional(z.array(z.string())),
      insertions: optional(z.number()),
      deletions: optional(z.number()),
      skippedLinks: optional(z.number()),
    }),
  ),
  register_repo_root: lazy(() => object({})),
};

/** The files the user may mean. */
export type SDKControlFileSuggestionsResponse = Infer<typeof fileResponses.file_suggestions>;

/** What the file holds. */
export type SDKControlReadFileResponse = Infer<typeof fileResponses.read_file>;

/** What was put back, or would be. */
export type RewindFilesResult = Infer<typeof fileResponses.rewind_files>;
