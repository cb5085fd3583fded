import { isJsonObject, isText, type Json } from '../../json.ts'
import { observationText } from '../../meaning/pane-routes.ts'
import type { ToolSegment } from '../shapes.ts'

const EXIT_FIELDS = 'exit_code exitCode return_code returncode exit_status exit'.split(' ')
const EXIT_WORDS =
  /\b(?:exit(?:ed)?(?: with)?(?: code| status)?[:=]? ?|completed with exit code )(-?\d{1,3})\b(?!\s*(?:files?|lines?)\b)/i

/** Texts are long and the code stands at one of their ends. */
const HEAD = 400
const TAIL = 2_000

/** The exit code of a command, if anything says one: a call that is done without one has none. */
export function exitCodeOf(segment: ToolSegment): number | undefined {
  const { output, error, meta } = segment
  const { opencode, codex, acp, claude } = meta ?? {}
  const holders = [codex, opencode?.metadata, opencode?.structured, acp?.rawOutput, claude?.tool_use_result, output]
  for (const holder of holders) {
    const code = codeIn(holder)
    if (code !== undefined) return code
  }
  const isOver = segment.state === 'done' || segment.state === 'failed'
  return isOver ? codeInText(error ?? observationText(output)) : undefined
}

/** The code in a result: its own field, that of its outcome, or that of the last of several. */
function codeIn(value: Json | undefined): number | undefined {
  if (Array.isArray(value)) return codeIn(value.at(-1))
  if (!isJsonObject(value)) return undefined
  const { outcome, success, metadata, terminal_exit: terminal } = value
  const own = EXIT_FIELDS.map((key) => value[key]).find((code) => typeof code === 'number')
  // A command that is still running has no code, or -1.
  if (typeof own === 'number') return own === -1 ? undefined : own
  return [outcome, success, metadata, terminal]
    .map((each) => (isJsonObject(each) ? codeIn(each) : undefined))
    .find((code) => code !== undefined)
}

function codeInText(text: string): number | undefined {
  if (!isText(text)) return undefined
  const match = EXIT_WORDS.exec(text.slice(0, HEAD)) ?? EXIT_WORDS.exec(text.slice(-TAIL))
  const code = match === null ? undefined : Number(match[1])
  return code === -1 ? undefined : code
}
