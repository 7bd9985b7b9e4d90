import type { Comparison } from './compare-command.ts';
import { textGlob } from './glob.ts';

const DOMAIN = /^\s*domain\s*:(.*)$/is;

export function isDomainPattern(pattern: string): boolean {
  return DOMAIN.test(pattern);
}

/**
 * The host has the form used in addresses: lower case, punycode, without a final dot. Returns `undefined` for a text that is not a host, for example
 * because it contains a port, a path or a scheme.
 */
export function hostOfPattern(pattern: string): string | undefined {
  const text = DOMAIN.exec(pattern)?.[1]?.trim();
  if (text === undefined || text === '') return undefined;
  const isBracketed = /^\[[0-9a-f:.]+\]$/i.test(text);
  if (/[\s/\\@?#%|<>^]/.test(text) || (!isBracketed && /[:[\]]/.test(text))) return undefined;
  return hostOf(`https://${text}/`);
}

/** In a rule that denies or asks, `domain:example.com` also matches subdomains. */
export function compareAddress(pattern: string, address: string, isWide: boolean): Comparison {
  const domain = hostOfPattern(pattern);
  const host = hostOf(address);
  if (domain === undefined || host === undefined) return isWide ? 'matches' : 'differs';
  if (textGlob(domain)(host) || (isWide && textGlob(`*.${domain}`)(host)))
    return isWide || isClear(address) ? 'matches' : 'differs';
  return isWide && !isClear(address) ? 'undecided' : 'differs';
}

function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const host = new URL(address).hostname.replace(/\.$/, '');
  return host === '' || host.endsWith('.') ? undefined : host;
}

/** Programs handle backslashes, user names and control characters differently. The address is clear if all programs find the same host in it. */
function isClear(address: string): boolean {
  return (
    /^https?:\/\/[^\s\\@/?#\p{Cc}][^\\\s\p{Cc}]*$/iu.test(address.trim()) &&
    !/^https?:\/\/[^/?#]*@/i.test(address.trim())
  );
}
