import { encodeLine } from '@proto/core/framing';
import { toConnectError, failureText } from '@proto/terminal/errors';
import { EXIT, plain } from '@proto/terminal/process';

export interface Result {
  /** Empty if the command has already written its result. */
  readonly text: string;
  readonly facts?: object;
  readonly problems?: readonly string[];
}

export async function reportResult(
  work: () => Promise<Result>,
  { json = false, command }: { readonly json?: boolean | undefined; readonly command: string },
): Promise<number> {
  try {
    const { text, facts, problems = [] } = await work();
    if (json && facts !== undefined) process.stdout.write(encodeLine({ ...facts, problems }));
    else if (text !== '') process.stdout.write(`${[...text.split('\n'), ...problems].map(plain).join('\n')}\n`);
    return problems.length === 0 ? EXIT.ok : EXIT.failed;
  } catch (error) {
    process.stderr.write(`${failureText(error, json ? 'json' : 'text', `sjp ${command}`)}\n`);
    const isOfServer = error instanceof Error && error.name === 'SessionError';
    return isOfServer ? toConnectError(error).exitCode : EXIT.failed;
  }
}
