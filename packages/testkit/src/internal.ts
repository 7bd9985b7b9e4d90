// What `@proto/conformance` shares with the fakes: the steps, and the patterns that messages are compared with. `resetSocket` is for tests of this
// repository. It promises nothing.
export { FAKE_AGENT_VERSION, AgentMessages, INITIALIZE_ANSWER } from './fakes/agent-messages.ts';
export { resetSocket } from './fault-proxy/reset-socket.ts';
export { isObject, type Json, type JsonObject, shortJson } from './json.ts';
export { unknownMatchers } from './match/check-pattern.ts';
export { match, type MatchResult } from './match/match.ts';
export { isMatcher, matchers } from './match/matchers.ts';
export { describeMismatch, type Matching, type Mismatch, mismatchAt } from './match/mismatch.ts';
export { TemplateError, Variables } from './match/variables.ts';
export { commonVerbs } from './steps/common-verbs.ts';
export { expectAnswer, sendAnswer, sendCancel, sendRequest, servedAnswer } from './steps/control.ts';
export { expectAll, expectNone, expectOne, findMatch } from './steps/expect.ts';
export { Inbox, NotReceived, type Received } from './steps/inbox.ts';
export { runSteps, StepError } from './steps/run-steps.ts';
export { DEFAULT_STEP_MS, type Party, type Scope } from './steps/scope.ts';
export { bindAs, limitOf, nameIn, partyOf, send, type Step, type Verb } from './steps/step.ts';
export { StepFailure } from './steps/step-failure.ts';
