import { type ConnectOptions, connectSession, type RunProcess } from '@proto/terminal';
import { clientToken } from '../network/token-file.ts';

/** The flags of `sjp connect`. */
export interface ConnectFlags extends Omit<ConnectOptions, 'name' | 'token'> {
  readonly tokenFile?: string;
}

/** `sjp connect`: gives a session of a server to stdin and stdout. Gives the exit code. */
export function connect(
  address: string,
  { tokenFile, ...options }: ConnectFlags,
  here: RunProcess = process,
): Promise<number> {
  const token = (hostname: string) => clientToken({ tokenFile, hostname, cwd: here.cwd(), env: here.env });
  return connectSession(address, { ...options, name: 'sjp connect', token }, here);
}
