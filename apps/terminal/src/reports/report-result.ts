import { encodeLine } from '@proto/core/framing';
import { failureText, toConnectError } from '../errors.ts';
import { EXIT } from '../process/exit-code.ts';
import { plain } from '../view/terminal-text.ts';

/** What a command that operates a server or a store writes at its end. */
export interface CommandResult {
  /** The lines for people. Empty if the command has already written its result. */
  readonly text: string;
  /** The same for programs, as one line of JSON. Default: programs get the text. */
  readonly facts?: object;
  /** What did not succeed, a line each. Default: nothing. */
  readonly problems?: readonly string[];
}

/** Does the work of a command, and writes its result or its error. Fulfils with the exit code. Never rejects. */
export async function reportResult(
  work: () => Promise<CommandResult>,
  { json = false, command }: { readonly json?: boolean | undefined; readonly command: string },
  here: Pick<NodeJS.Process, 'stdout' | 'stderr'>,
): Promise<number> {
  try {
    const { text, facts, problems = [] } = await work();
    if (json && facts !== undefined) here.stdout.write(encodeLine({ ...facts, problems }));
    else if (text !== '') here.stdout.write(`${[...text.split('\n'), ...problems].map(plain).join('\n')}\n`);
    return problems.length === 0 ? EXIT.ok : EXIT.failed;
  } catch (error) {
    here.stderr.write(`${failureText(error, json ? 'json' : 'text', `sjp ${command}`)}\n`);
    const isOfServer = error instanceof Error && error.name === 'SessionError';
    return isOfServer ? toConnectError(error).exitCode : EXIT.failed;
  }
}
