import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AgentBackend, createBackendRegistry, readEvents, toProtoMessages } from '@proto/adapters';
import { encodeLine } from '@proto/core/framing';
import { EXIT } from '../process/exit-code.ts';
import { fileReason } from '../process/file-reason.ts';
import { noteText } from './file-note.ts';
import { peekFile, refusalOf } from './peek-file.ts';
import { ReadProgress, sizeOf } from './read-progress.ts';
import type { FileStreams } from './validate-file.ts';

/** Which agent wrote a file, and how its records are converted to messages. */
export interface ConvertOptions {
  /** The name of the program in texts for users, such as `sjp convert`. */
  readonly name: string;
  /** The name of the backend that wrote the file. */
  readonly from: string;
  /** The exit code of the agent, for agents that report a failure only through their exit code. Default 0. */
  readonly exitCode?: number;
  /** Whether to keep the original records. Default false. */
  readonly raw?: boolean;
}

/**
 * Writes the output of another agent to stdout as messages of the protocol, and reports lines that are not records to stderr. Fulfils with the exit
 * code: 2 for an unknown agent, and for a file that cannot be read.
 */
export async function convertFile(
  file: string,
  options: ConvertOptions,
  { stdin, stdout, stderr }: FileStreams,
): Promise<number> {
  const { name, from } = options;
  const fail = (why: string) => {
    stderr.write(`${name}: ${why}\n`);
    return EXIT.usage;
  };
  const registry = createBackendRegistry();
  const backend = registry.get(from);
  if (backend === undefined)
    return fail(`unknown backend "${from}"; the known backends are ${registry.names().join(', ')}`);
  try {
    // The file is opened here, because `readEvents` treats a stream that cannot be opened as output that broke off.
    const input = file === '-' ? stdin : (await open(file)).createReadStream();
    const progress = new ReadProgress({ name, stderr, totalBytes: await sizeOf(file) });
    const peeked = await peekFile(progress.count(input), 'output');
    const refusal = refusalOf(peeked.kind, file, name, 'output');
    if (refusal !== undefined) {
      await peeked.close();
      return fail(noteText(refusal));
    }
    await pipeline(linesOf(backend, peeked.bytes, options, stderr, progress), stdout, { end: false });
    return EXIT.ok;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    // The reader of stdout has closed it.
    return code === 'EPIPE' ? EXIT.ok : fail(`cannot read ${file}: ${fileReason(error)}`);
  }
}

async function* linesOf(
  backend: AgentBackend,
  input: AsyncIterable<Uint8Array>,
  { name, exitCode = 0, raw = false }: ConvertOptions,
  stderr: Writable,
  progress: ReadProgress,
): AsyncGenerator<string> {
  const onMalformed = ({ lineNo, reason }: { readonly lineNo: number; readonly reason: string }) => {
    progress.clear();
    stderr.write(`${name}: line ${lineNo} was skipped: ${reason}\n`);
  };
  const events = readEvents(backend, { prompt: '' }, input, { exitCode, signal: null }, { onMalformed });
  for await (const message of toProtoMessages(events, { raw })) {
    progress.clear();
    yield encodeLine(message);
  }
}
