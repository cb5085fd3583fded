import type { Json } from '../../json.ts'
import { readFunctionCall, readToolCall } from './calls.ts'
import { readContent } from './content.ts'
import { addMetadata, type SeenFields } from './details.ts'
import { readExecutedTools } from './executed-tools.ts'
import { readAudio, readImages } from './files.ts'
import type { Choice, Delta } from './raw.ts'
import { hasReasoning, REASONING_FIELDS, readReasoning } from './reasoning.ts'
import { readAnnotations } from './sources.ts'
import { addText, hasContent, type Out, type Speaker } from './speaker.ts'

/** Fields of a delta that are read here, or that carry nothing: the rest becomes metadata. */
const READ_FIELDS: ReadonlySet<string> = new Set([
  ...REASONING_FIELDS,
  'role',
  'name',
  'index',
  'channel',
  'token_id',
  'content',
  'refusal',
  'audio',
  'tool_calls',
  'function_call',
  'executed_tools',
  'images',
  'annotations',
])

/** Reads the content of a choice in one chunk. */
export function readChoice(speaker: Speaker, choice: Choice, seenFields: SeenFields, out: Out): void {
  const { delta, message, text, logprobs } = choice
  if (delta) readDelta(speaker, delta, seenFields, out)
  // Besides a delta, the message repeats all content so far: only the last one is read.
  if (message && (!delta || choice.finish_reason)) {
    if (hasContent(speaker)) repeat(speaker, message, out)
    else readDelta(speaker, message, seenFields, out)
  }
  if (message && !delta) speaker.isWhole = true
  if (text && !delta && !message) addText(speaker, 'text', undefined, text, out)
  if (logprobs) readLogprobs(speaker, logprobs, out)
}

/** Whether a choice holds visible content. */
export function hasVisibleContent({ delta, message, text }: Choice): boolean {
  const { content, refusal, tool_calls, function_call, executed_tools } = delta ?? message ?? {}
  if (text || refusal || function_call || executed_tools || (content?.length ?? 0) > 0) return true
  return (tool_calls?.length ?? 0) > 0 || hasReasoning(delta ?? message ?? {})
}

function readDelta(speaker: Speaker, delta: Delta, seenFields: SeenFields, out: Out): void {
  const { refusal, audio, tool_calls, function_call, executed_tools, images, annotations } = delta
  if (delta.role) speaker.roles += 1
  readReasoning(speaker, delta, out)
  readContent(speaker, delta, out)
  if (refusal) addText(speaker, 'text', 'refusal', refusal, out)
  readAudio(speaker, audio, out)
  for (const call of tool_calls ?? []) readToolCall(speaker, call, out)
  if (function_call) readFunctionCall(speaker, function_call, out)
  readExecutedTools(speaker, executed_tools, out)
  readImages(speaker, images, out)
  readAnnotations(speaker, annotations, out)
  addMetadata(delta, READ_FIELDS, seenFields, speaker.messageId, out)
}

/** A message that was streamed before: a longer text replaces the streamed one, and unstreamed parts may be new. */
function repeat(speaker: Speaker, { content, executed_tools, images, annotations }: Delta, out: Out): void {
  const { lastText: blockId, texts, textLength } = speaker
  const isMore = typeof content === 'string' && content.length > textLength
  if (isMore && blockId !== undefined && texts === 1) out.push({ type: 'block-patch', blockId, text: content })
  readExecutedTools(speaker, executed_tools, out)
  readImages(speaker, images, out)
  readAnnotations(speaker, annotations, out)
}

/** Token probabilities: transient data for live viewers, too large to keep with the text. */
function readLogprobs({ messageId, current }: Speaker, logprobs: object, out: Out): void {
  if (!Object.values(logprobs).some((list) => Array.isArray(list) && list.length > 0)) return
  const data = logprobs as Json
  out.push({ type: 'data', name: 'logprobs', id: current?.id ?? messageId, data, transient: true, messageId })
}
