// The form for the next prompt, with images.
export function Composer({ onSend, onStop, isRunning }) {
  const send = async (event) => {
    event.preventDefault();
    const form = event.target;
    const { text, images } = form.elements;
    const blocks = await Promise.all(Array.from(images.files, imageBlock));
    if (text.value.trim() === '' && blocks.length === 0) return;
    onSend(blocks.length === 0 ? text.value : [{ type: 'text', text: text.value }, ...blocks]);
    form.reset();
  };
  const onKeyDown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  };
  return (
    <form className="composer" aria-label="Next prompt" onSubmit={send}>
      <textarea name="text" aria-label="Prompt" onKeyDown={onKeyDown} />
      <input name="images" aria-label="Images" type="file" accept="image/*" multiple />
      <button>Send</button>
      <button type="button" disabled={!isRunning} onClick={onStop} children="Stop" />
    </form>
  );
}

async function imageBlock(file) {
  const bytes = Array.from(new Uint8Array(await file.arrayBuffer()), (byte) => String.fromCharCode(byte));
  return { type: 'image', source: { type: 'base64', media_type: file.type, data: btoa(bytes.join('')) } };
}
