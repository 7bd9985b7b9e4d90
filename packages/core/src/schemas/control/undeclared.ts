import * as z from 'zod/mini';
import { openObject } from '../open.ts';

// The members that were seen in one example of each request. Other examples may lack some of them or have more.
const SEEN_FROM_HOST = {
  channel_enable: ['serverName'],
  claim_session: ['include_initialize'],
  claude_authenticate: ['loginWithClaudeAi'],
  claude_oauth_callback: ['authorizationCode', 'state'],
  claude_oauth_wait_for_completion: [],
  end_session: ['reason'],
  export_conversation: [],
  generate_session_title: ['description', 'persist'],
  get_chrome_browsers: [],
  get_chrome_dialog: [],
  get_memory_dialog: [],
  get_plan: [],
  get_sandbox_dialog: [],
  get_skills_dialog: [],
  get_status: [],
  mcp_authenticate: ['serverName', 'redirectUri'],
  mcp_clear_auth: ['serverName'],
  mcp_oauth_callback_url: ['serverName', 'callbackUrl'],
  message_rated: ['cleared'],
  remote_control: ['enabled', 'name'],
  rewind_conversation: ['target_message_uuid'],
  select_chrome_browser: ['device_id'],
  set_chrome_browser_hints: [],
  set_cwd: ['path'],
  set_mcp_permission_mode_override: ['serverName', 'mode'],
  set_prompt_suggestions_paused: ['paused'],
  side_question: ['question'],
  submit_feedback: ['description'],
  submit_survey_feedback: [],
  ultrareview_launch: ['args', 'confirm'],
} as const;

const SEEN_FROM_AGENT = { oauth_token_refresh: [], host_auth_token_refresh: [], remote_control_work_secret: [] } as const;

/** Requests from hosts that the published SDK does not declare. Agents may refuse any of these requests. */
export const undeclaredHostRequests = requestsOf(SEEN_FROM_HOST);

/** Requests from agents that the published SDK does not declare. */
export const undeclaredAgentRequests = requestsOf(SEEN_FROM_AGENT);

/** The answers to undeclared requests that were seen on the wire. The answer to any other request is accepted unchanged. */
export const undeclaredResponses = {
  export_conversation: openObject({ text: z.optional(z.string()), default_filename: z.optional(z.string()) }),
  generate_session_title: openObject({ title: z.optional(z.nullable(z.string())) }),
  get_memory_dialog: openObject({
    files: z.optional(z.array(z.unknown())),
    folders: z.optional(z.array(z.unknown())),
    memories: z.optional(z.array(z.unknown())),
    auto_memory: z.optional(z.record(z.string(), z.unknown())),
    auto_dream: z.optional(z.record(z.string(), z.unknown())),
  }),
  get_plan: openObject({ exists: z.optional(z.boolean()) }),
  get_skills_dialog: openObject({ skills: z.optional(z.array(z.unknown())) }),
  get_status: openObject({ sections: z.optional(z.array(z.unknown())) }),
  set_mcp_permission_mode_override: openObject({ warning: z.optional(z.string()) }),
  submit_feedback: openObject({ feedback_id: z.optional(z.nullable(z.string())), unavailable_reason: z.optional(z.string()) }),
  set_cwd: openObject({ status: z.optional(z.string()), directory: z.optional(z.string()) }),
};

type Undeclared<Subtype extends string> = z.ZodMiniObject<{ subtype: z.ZodMiniLiteral<Subtype> }, z.core.$loose>;

function requestsOf<const Seen extends Readonly<Record<string, readonly string[]>>>(seen: Seen) {
  const requests = Object.entries(seen).map(([subtype, members]) => {
    const shape = Object.fromEntries(members.map((member) => [member, z.optional(z.unknown())]));
    return [subtype, openObject({ ...shape, subtype: z.literal(subtype) })];
  });
  return Object.fromEntries(requests) as { [Subtype in keyof Seen & string]: Undeclared<Subtype> };
}
