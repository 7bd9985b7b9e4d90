import type { CreateElicitationResponse, ElicitationPropertySchema, ElicitationSchema } from '@agentclientprotocol/sdk';
import type { ElicitationResult, PermissionResult, SDKControlPermissionRequest } from '@proto/core/messages';
import { isObject, objectOf, objectsIn } from '../members.ts';

/** The tool by which the model asks the user. The answer is part of the permission. */
export const ASK_TOOL = 'AskUserQuestion';

/** The form for the questions of the model: a choice for each question. */
export function formOfQuestions({ input }: SDKControlPermissionRequest): ElicitationSchema {
  const properties = objectsIn(input['questions']).map((question): [string, ElicitationPropertySchema] => {
    const { question: text, header, options, multiSelect } = question;
    const about = { title: typeof header === 'string' ? header : null, description: String(text) };
    const choices = objectsIn(options).map(({ label, description }) => ({
      const: String(label),
      title: String(label),
      ...(typeof description === 'string' && { description }),
    }));
    const isMultiple = multiSelect === true;
    return [
      String(text),
      isMultiple
        ? { type: 'array', ...about, items: { anyOf: choices } }
        : { type: 'string', ...about, oneOf: choices },
    ];
  });
  return { type: 'object', properties: Object.fromEntries(properties), required: properties.map(([name]) => name) };
}

/** The answer to a permission request of the tool, from the form that the user has filled in. */
export function answerOfQuestions(
  request: SDKControlPermissionRequest,
  response: CreateElicitationResponse,
): PermissionResult {
  if (response.action !== 'accept') return { behavior: 'deny', message: 'The user did not answer the questions.' };
  const given = Object.entries(objectOf(response['content']));
  const answers = given.map(([question, value]) => [question, Array.isArray(value) ? value.join(', ') : String(value)]);
  return { behavior: 'allow', updatedInput: { ...request.input, answers: Object.fromEntries(answers) } };
}

/** The answer to an MCP server, from the form that the user has filled in. */
export function elicitationResult({ action, ...rest }: CreateElicitationResponse): ElicitationResult {
  const content = objectOf(rest)['content'];
  if (action === 'accept') return { action, ...(isObject(content) && { content }) };
  return { action: action === 'decline' ? 'decline' : 'cancel' };
}
