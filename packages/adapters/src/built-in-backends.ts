import type { AgentBackend } from './backend.ts';
import { amp } from './backends/amp.ts';
import { claude } from './backends/claude.ts';
import { codex } from './backends/codex.ts';
import { copilot } from './backends/copilot.ts';
import { cursor } from './backends/cursor.ts';
import { gemini } from './backends/gemini.ts';
import { goose } from './backends/goose.ts';
import { kiro } from './backends/kiro.ts';
import { opencode } from './backends/opencode.ts';
import { pi } from './backends/pi.ts';
import { qwen } from './backends/qwen.ts';
import { text } from './backends/text.ts';

/** The backends of this package. */
export const builtInBackends: readonly AgentBackend[] = [
  claude,
  codex,
  gemini,
  opencode,
  amp,
  copilot,
  qwen,
  pi,
  kiro,
  cursor,
  goose,
  text,
];
