import { Option } from 'commander';

/** The option that names a token's file, in every command that is a client. In a file of its own, as declaring a command must load little. */
export function tokenFileOption(): Option {
  return new Option(
    '--token-file <file>',
    'the token that is sent, read again for each link (default: SJP_TOKEN, else that of the server on this machine)',
  );
}
