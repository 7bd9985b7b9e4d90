import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { inspectToken, makeToken, type TokenFacts } from '@proto/ingress/operate';
import { readToken } from '@proto/remote/node';
import { reportResult } from '@proto/terminal/reports';

export interface NewTokenOptions {
  readonly name: string;
  readonly role: 'driver' | 'approver' | 'viewer';
  readonly onlySession?: readonly string[];
  readonly accounts?: string;
  readonly out?: string;
}

export interface InspectOptions {
  readonly tokenFile?: string;
  readonly accountsFile?: string;
  readonly json?: boolean;
}

/** Writes the token to stdout and its account to stderr, unless the options name files for them. */
export function runTokenNew({ name, role, onlySession: sessions, accounts, out }: NewTokenOptions): Promise<number> {
  return reportResult(
    async () => {
      const { token, entry } = await makeToken({ name, role, sessions }, { accountsFile: accounts, tokenFile: out });
      if (accounts === undefined) process.stderr.write(`${JSON.stringify(entry)}\n`);
      if (out === undefined) process.stdout.write(`${token}\n`);
      return { text: '' };
    },
    { command: 'token new' },
    process,
  );
}

export function runTokenInspect({ tokenFile, accountsFile, json }: InspectOptions): Promise<number> {
  return reportResult(
    async () => {
      const token = await tokenFrom(tokenFile);
      const accounts = accountsFile === undefined ? undefined : await readFile(accountsFile, 'utf8');
      const facts = await inspectToken(token, accounts);
      return { text: textOf(facts, accounts !== undefined), facts };
    },
    { json, command: 'token inspect' },
    process,
  );
}

async function tokenFrom(file: string | undefined): Promise<string> {
  const { SJP_TOKEN: variable } = process.env;
  if (file === undefined && variable === undefined) {
    throw new Error(
      'the token is missing: give --token-file FILE or --token-file - (for stdin), or set the variable SJP_TOKEN',
    );
  }
  if (file === '-') return (await text(process.stdin)).trim();
  return file === undefined ? (variable ?? '') : readToken(file);
}

function textOf(facts: TokenFacts, isCompared: boolean): string {
  if (facts.kind === 'opaque') {
    const { account, sha256 } = facts;
    const found = account === undefined ? 'not used in this file' : `used by ${account.name}, ${account.role}`;
    return [`a token without claims${isCompared ? `, ${found}` : ''}`, `token_sha256  ${sha256}`].join('\n');
  }
  const end = facts.expiresAt === undefined ? 'that does not expire' : facts.expiresAt.toISOString();
  return [
    facts.kind === 'worker'
      ? 'the token of a worker; its signature is not checked'
      : 'a token from an issuer; its signature is not checked',
    `${facts.hasExpired ? 'expired  ' : 'expires  '} ${end}`,
    `header    ${JSON.stringify(facts.header)}`,
    `claims    ${JSON.stringify(facts.claims)}`,
  ].join('\n');
}
