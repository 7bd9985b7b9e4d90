export { decidePermission, type PermissionDecision, type RuleContext } from './decide-permission.ts';
export { type Comparison } from './compare-command.ts';
export {
  compareRule,
  coversTool,
  matchesRule,
  patternFor,
  type RuleMatching,
  type RuleSubject,
} from './matches-rule.ts';
export {
  createPermissionHandler,
  type PermissionAnswer,
  type PermissionHandlerOptions,
  type PermissionRecord,
  type PermissionRequest,
} from './permission-handler.ts';
export {
  createPermissionRules,
  parsePermissionRules,
  parseRuleList,
  type PermissionRules,
  type PermissionRulesText,
} from './permission-rules.ts';
export { type Behavior, formatRule, isSameRule, parseRule, type PermissionRule, PermissionRulesError } from './rule.ts';
export { describeCall, subjectOf, type ToolCall } from './tool-call.ts';
