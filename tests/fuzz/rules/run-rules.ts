import { createPermissionRules, decidePermission } from '@proto/permissions';
import { createRandom } from './random.ts';
import { randomLine } from './random-line.ts';
import { createShellOracle, shellsHere } from './shell-oracle.ts';

/** A line for which the decision of the rules breaks their promise. */
export interface RulesFinding {
  readonly kind: 'a denied program ran' | 'another program ran';
  readonly shell: string;
  readonly line: string;
  readonly ran: readonly string[];
}

/** The options of a run. */
export interface RulesRun {
  readonly seed: number;
  /** The end of the run, on the clock of `performance.now()`. */
  readonly until: number;
  /** The largest number of lines. Default: no limit. */
  readonly lines?: number;
  /** The only line to try. */
  readonly only?: string | undefined;
  /** Called with each finding. */
  readonly onFinding?: (finding: RulesFinding) => void;
}

const DENYING = createPermissionRules({ deny: ['Bash(rm *)'], allow: ['Bash'], default: 'allow' });
const ALLOWING = createPermissionRules({
  allow: ['Bash(git *)', 'Bash(ls *)', 'Bash(env *)', 'Bash(xargs *)', 'Bash(echo *)', 'Bash(find *)'],
});
const ALLOWED: ReadonlySet<string> = new Set(['git', 'ls']);

/**
 * Compares decisions about random command lines with the programs that shells run. A line that the rules allow must not run a denied program. If the
 * rules list the allowed programs, the line must not run any other program.
 */
export async function runRules(
  run: RulesRun,
): Promise<{ readonly lines: number; readonly findings: readonly RulesFinding[] }> {
  using oracle = createShellOracle();
  const random = createRandom(run.seed);
  const findings: RulesFinding[] = [];
  const most = run.only === undefined ? (run.lines ?? Number.POSITIVE_INFINITY) : 1;
  let lines = 0;
  while (lines < most && performance.now() < run.until) {
    lines++;
    const line = run.only ?? randomLine(random);
    const [passes, isAllowed] = await Promise.all([DENYING, ALLOWING].map((rules) => allows(rules, line)));
    if (!passes && !isAllowed) continue;
    for (const shell of shellsHere()) {
      const ran = [...(await oracle.run(shell, line))];
      const add = (kind: RulesFinding['kind']) => {
        const finding = { kind, shell, line, ran };
        findings.push(finding);
        run.onFinding?.(finding);
      };
      if (passes && ran.includes('rm')) add('a denied program ran');
      if (isAllowed && ran.some((name) => !ALLOWED.has(name))) add('another program ran');
    }
  }
  return { lines, findings };
}

async function allows(rules: ReturnType<typeof createPermissionRules>, command: string): Promise<boolean> {
  const { behavior } = await decidePermission(rules, { tool: 'Bash', input: { command } }, { cwd: '/' });
  return behavior === 'allow';
}
