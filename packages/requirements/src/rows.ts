import type { Row, RowDocument } from './row.ts';
import { ingress } from './rows/ingress.ts';
import { pains } from './rows/pains.ts';
import { s0 } from './rows/s0.ts';
import { s1 } from './rows/s1.ts';
import { s2 } from './rows/s2.ts';
import { s3 } from './rows/s3.ts';
import { s4 } from './rows/s4.ts';

/** Every document of requirements, in the order of the report. */
export const documents: readonly RowDocument[] = [
  { id: 'S0', title: 'output pipeline', rows: s0 },
  { id: 'S1', title: 'transport layer, input side', rows: s1 },
  { id: 'S2', title: 'structured IO, remote IO, print, exit', rows: s2 },
  { id: 'S3', title: 'adapters with streaming output', rows: s3 },
  { id: 'S4', title: 'host data flow', rows: s4 },
  { id: 'R', title: 'what breaks for users', rows: pains },
  { id: 'I', title: 'what a session ingress must do', rows: ingress },
];

/** Every row, in the order of the documents. */
export const rows: readonly Row[] = documents.flatMap((document) => document.rows);
