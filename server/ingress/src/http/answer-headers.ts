/** The headers of every answer: they keep it out of caches, and a browser from guessing its type. */
export const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const;
