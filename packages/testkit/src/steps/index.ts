/**
 * Runs a conversation with a program under test, step by step. The steps of a case send messages, wait for messages that match a pattern, and bind
 * parts of messages to names. `sjp conformance` and the fakes use this module to run their cases and scripts.
 */
export { isObject, shortJson } from '../json.ts';
export { unknownMatchers } from '../match/check-pattern.ts';
export { match, type MatchResult } from '../match/match.ts';
export { describeMismatch, type Mismatch } from '../match/mismatch.ts';
export { TemplateError, Variables } from '../match/variables.ts';
export { createRandom, type Random } from '../random.ts';
export { commonVerbs } from './common-verbs.ts';
export { servedAnswer } from './control.ts';
export { expectOne, findMatch } from './expect.ts';
export { Inbox, NotReceived, type Received } from './inbox.ts';
export { runSteps, StepError } from './run-steps.ts';
export { createScope, DEFAULT_STEP_MS, type Party, type Scope, type ScopeOptions } from './scope.ts';
export { bindAs, limitOf, nameIn, partyOf, send, type Step, type Verb } from './step.ts';
export { StepFailure } from './step-failure.ts';
