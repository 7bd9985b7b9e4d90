import type { AgentMessages } from '@proto/testkit/fakes';
import type { Scope } from '@proto/testkit/steps';

import type { RunningHost } from './host-program.ts';
import type { HostSession } from './host-session.ts';
import type { HostStart } from './host-steps.ts';
import type { UserCall } from './rules/call-rules.ts';
import type { UserDecisions } from './user-decisions.ts';

export interface HostScope extends Scope {
  readonly session: HostSession;
  readonly messages: AgentMessages;
  readonly host: RunningHost;
  /** The user's prompts: first the prompts of `start`, then the prompts of `call: prompt`. */
  readonly prompts: unknown[];
  /** The methods that the user has called. */
  readonly made: UserCall[];
  /** The answers of the user to questions that a step has not bound to a name. */
  readonly decisions: UserDecisions;
  readonly start: HostStart;
  /** What the host has promised to do, by the names in docs/conformance-hosts.md. */
  readonly features: ReadonlySet<string>;
}
