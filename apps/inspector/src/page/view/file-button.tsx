import { useRef } from 'preact/hooks';

/** A button with which the user chooses a recording on this machine. The file stays in the browser. */
export function FileButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id="file"
        class="hidden"
        type="file"
        aria-label="Recording"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
          currentTarget.value = '';
        }}
      />
      <button
        type="button"
        onClick={() => input.current?.click()}
        title="Open a recording on this machine (o)"
        data-key="o"
      >
        Open file
      </button>
    </>
  );
}
