// A question of the agent, with the buttons that answer it. What an agent sends can have any shape.
const objectsIn = (list) => (Array.isArray(list) ? list.map(Object) : []);

/** What to show for a question, and how its two buttons answer. */
function formOf({ kind, request, ...question }) {
  if (kind === 'elicitation') {
    const fields = Object.entries(Object(request.requested_schema?.properties));
    return {
      title: request.message,
      fields: fields.map(([name, field]) => ({ name, label: Object(field).title ?? name })),
      accept: ['Send', (content) => question.answer({ action: 'accept', content })],
      refuse: ['Decline', () => question.answer({ action: 'decline' })],
    };
  }
  const { tool_name: tool, input, title = `May the agent use ${tool}?` } = request;
  if (tool !== 'AskUserQuestion') {
    return { title, input, accept: ['Allow', () => question.allow()], refuse: ['Deny', () => question.deny()] };
  }
  return {
    title: 'The agent asks',
    fields: objectsIn(input.questions).map(({ question: name, options }) => ({ name, label: name, options })),
    accept: ['Answer', (answers) => question.allow({ updatedInput: { ...input, answers } })],
    refuse: ['Do not answer', () => question.deny()],
  };
}

export function QuestionCard({ question }) {
  const { title, input, fields = [], accept, refuse } = formOf(question);
  const onSubmit = (event) => {
    event.preventDefault();
    accept[1](Object.fromEntries(new FormData(event.target)));
  };
  const choices = (options) => objectsIn(options).map(({ label }) => <option key={label}>{String(label)}</option>);
  return (
    <form className="question" aria-label={title} onSubmit={onSubmit}>
      <h2>{title}</h2>
      {input && <pre>{JSON.stringify(input, null, 2)}</pre>}
      {fields.map(({ name, label, options }) => (
        <label key={name}>
          {String(label)} {options ? <select name={name}>{choices(options)}</select> : <input name={name} />}
        </label>
      ))}
      <button>{accept[0]}</button> <button type="button" onClick={refuse[1]} children={refuse[0]} />
    </form>
  );
}
