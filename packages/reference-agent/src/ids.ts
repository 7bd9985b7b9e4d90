/** A fresh id as the Messages API writes them, such as `msg_…`. */
export function freshId(prefix: 'msg' | 'toolu'): string {
  return `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;
}
