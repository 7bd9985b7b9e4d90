import { describe, expect, test, vi } from 'vitest';
import { hostAndPuppet, request } from '../puppet-agent.test-support.ts';

describe('elicitation and dialogs', () => {
  const elicitation = request('e1', { subtype: 'elicitation', mcp_server_name: 'lab', message: 'Sure?' });
  const dialog = request('d1', { subtype: 'request_user_dialog', dialog_kind: 'survey', payload: { stars: 5 } });

  test('an elicitation calls the callback, and is declined without a callback', async () => {
    const { puppet } = hostAndPuppet({
      onElicitation: ({ message }) => ({ action: 'accept', content: { message } }),
    });
    puppet.say(elicitation);
    expect((await puppet.answer('e1'))['response']).toEqual({ action: 'accept', content: { message: 'Sure?' } });
    const without = hostAndPuppet();
    without.puppet.say(elicitation);
    expect((await without.puppet.answer('e1'))['response']).toEqual({ action: 'decline' });
  });

  test('dialogs are announced by kind and shown by their callbacks', async () => {
    const survey = vi.fn(() => ({ behavior: 'completed' as const, result: 4 }));
    const { puppet } = hostAndPuppet({ dialogs: { survey } });
    expect((await puppet.asked('initialize'))['request']).toMatchObject({ supportedDialogKinds: ['survey'] });
    puppet.say(dialog);
    expect((await puppet.answer('d1'))['response']).toEqual({ behavior: 'completed', result: 4 });
    expect(survey).toHaveBeenCalledWith(expect.objectContaining({ payload: { stars: 5 } }), expect.anything());
  });

  test('a dialog that fails is cancelled, and an unknown kind is refused at once', async () => {
    const { puppet } = hostAndPuppet({ dialogs: { survey: () => Promise.reject(new Error('no screen')) } });
    puppet.say(dialog, request('d2', { subtype: 'request_user_dialog', dialog_kind: 'other', payload: {} }));
    expect((await puppet.answer('d1'))['response']).toEqual({ behavior: 'cancelled' });
    expect(await puppet.answer('d2')).toMatchObject({ subtype: 'error', error_code: 'unsupported_request' });
  });
});
