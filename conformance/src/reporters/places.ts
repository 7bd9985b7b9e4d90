import { findRequirement } from '../cases/suite.ts';
import type { Failure } from '../results/result.ts';

/** The number of the section of a requirement, such as `5.2`. */
export function sectionOf(spec: string): string {
  return findRequirement(spec)?.section ?? '?';
}

/** The requirement that a failure breaks, in one line: `PRM-12 (section 5.1): The agent MUST …`. */
export function brokenRequirement({ spec }: Pick<Failure, 'spec'>): string {
  const requirement = findRequirement(spec);
  return requirement === undefined ? spec : `${spec} (section ${requirement.section}): ${requirement.text}`;
}

export function whatFailed({ rule, message }: Pick<Failure, 'rule' | 'message'>): string {
  return rule === undefined ? message : `Rule ${rule}: ${message}`;
}
