/** The agent version whose protocol is spoken. Hosts read it from `-v` and warn about old ones. */
export const PROTOCOL_VERSION = '2.1.330';
