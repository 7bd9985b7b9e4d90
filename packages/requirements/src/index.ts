export { planned } from './planned.ts';
export type { Row, RowDocument } from './row.ts';
export { documents, rows } from './rows.ts';
export { type RegisterVerification, verifies, type VerifiesOptions } from './verifies.ts';
