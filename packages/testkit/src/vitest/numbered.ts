import { type Batch, encodeBatch } from '@proto/core/transport';

/** A batch of one message, told apart by its number; with padding, of about that size. */
export function numbered(n: number, paddingBytes = 0): Batch {
  return encodeBatch(
    paddingBytes === 0 ? { type: 'numbered', n } : { type: 'numbered', n, padding: '.'.repeat(paddingBytes) },
  );
}

/** The numbers from one to another, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Numbers without regard to their order, which only the cases of point 2 look at. */
export function sorted(numbers: readonly unknown[]): unknown[] {
  return [...numbers].sort((a, b) => Number(a) - Number(b));
}
