import { runHeadless } from '@proto/headless';
import { runTurn } from '@proto/reference-agent';

/** `sjp agent …`: the same as `sjp-agent …`. */
export function agent(argv: readonly string[]): Promise<void> {
  return runHeadless({ runTurn, name: 'sjp-agent', argv });
}
