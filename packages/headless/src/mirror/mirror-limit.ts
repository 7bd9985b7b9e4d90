// Apart from what it limits, which is loaded when it is asked for.

/** How much a mirror may be behind before it is given up, in UTF-16 units. */
export const DEFAULT_MAX_MIRROR_BYTES = 64 * 1024 * 1024;
