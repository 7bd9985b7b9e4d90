import * as z from 'zod/mini';
import { openEnum, protocol } from '../open.ts';

/** Requests about files. */
export const fileRequests = {
  file_suggestions: z
    .looseObject({ subtype: z.literal('file_suggestions'), query: z.string() })
    .register(protocol, { id: 'SDKControlFileSuggestionsRequest', description: 'Asks which files the user may mean.' }),
  read_file: z
    .looseObject({
      subtype: z.literal('read_file'),
      path: z.string(),
      max_bytes: z.optional(z.number()),
      encoding: z.optional(openEnum(['utf-8', 'base64'])),
    })
    .register(protocol, {
      id: 'SDKControlReadFileRequest',
      description: 'Reads a file, as far as the rules of reading allow.',
    }),
  seed_read_state: z
    .looseObject({ subtype: z.literal('seed_read_state'), path: z.string(), mtime: z.number() })
    .register(protocol, {
      id: 'SDKControlSeedReadStateRequest',
      description: 'Tells that the host has read a file, so that the agent may edit it.',
    }),
  rewind_files: z
    .looseObject({ subtype: z.literal('rewind_files'), user_message_id: z.string(), dry_run: z.optional(z.boolean()) })
    .register(protocol, {
      id: 'SDKControlRewindFilesRequest',
      description: 'Puts the files back to what they were before a prompt.',
    }),
  register_repo_root: z
    .looseObject({
      subtype: z.literal('register_repo_root'),
      directory: z.string(),
      reload_claude_md: z.optional(z.boolean()),
      reload_plugins: z.optional(z.boolean()),
      reload_skills: z.optional(z.boolean()),
    })
    .register(protocol, {
      id: 'SDKControlRegisterRepoRootRequest',
      description: 'Adds a directory below the working directory as a root.',
    }),
};

/** The payloads of their answers. */
export const fileResponses = {
  file_suggestions: z
    .looseObject({ suggestions: z.optional(z.array(z.unknown())), cwd: z.optional(z.string()) })
    .register(protocol, { id: 'SDKControlFileSuggestionsResponse', description: 'The files the user may mean.' }),
  read_file: z
    .looseObject({
      contents: z.string(),
      absPath: z.string(),
      truncated: z.optional(z.boolean()),
      encoding: z.optional(openEnum(['base64'])),
      lossy: z.optional(z.boolean()),
    })
    .register(protocol, { id: 'SDKControlReadFileResponse', description: 'What the file holds.' }),
  seed_read_state: z.looseObject({}),
  rewind_files: z
    .looseObject({
      canRewind: z.boolean(),
      error: z.optional(z.string()),
      filesChanged: z.optional(z.array(z.string())),
      insertions: z.optional(z.number()),
      deletions: z.optional(z.number()),
      skippedLinks: z.optional(z.number()),
    })
    .register(protocol, { id: 'RewindFilesResult', description: 'What was put back, or would be.' }),
  register_repo_root: z.looseObject({}),
};
