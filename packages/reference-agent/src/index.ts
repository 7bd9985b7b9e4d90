export { runTurn } from './run-turn.ts';
