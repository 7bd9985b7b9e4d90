export { expectAnswer, sendAnswer, sendCancel, sendRequest, servedAnswer } from '@proto/testkit/internal';
