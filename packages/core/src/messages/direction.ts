/** Who wrote a message: some types exist both ways, with different members. */
export type Direction = 'from-agent' | 'from-host';
