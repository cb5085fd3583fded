import { isJsonObject, type Json } from '../../json.ts'
import { fileOf } from './files.ts'
import { type Delta, objectsIn, type Part, textIn } from './raw.ts'
import { addCitations, addSource } from './sources.ts'
import { addText, type Out, type Speaker } from './speaker.ts'

export function readContent(speaker: Speaker, delta: Delta, out: Out): void {
  const { content } = delta
  if (typeof content !== 'string') for (const part of content ?? []) readPart(speaker, part, out)
  else if (isThought(delta)) addText(speaker, 'reasoning', 'thinking', content, out)
  else addText(speaker, 'text', undefined, content, out)
}

/** The OpenAI-compatible endpoint of Gemini marks content that is a thought. */
function isThought({ extra_content }: Delta): boolean {
  return isJsonObject(extra_content) && isJsonObject(extra_content.google) && extra_content.google.thought === true
}

const parts: { readonly [type: string]: (speaker: Speaker, part: Part, out: Out) => void } = {
  text: (speaker, { text }, out) => addText(speaker, 'text', undefined, textIn(text) ?? '', out),
  refusal: (speaker, { refusal }, out) => addText(speaker, 'text', 'refusal', textIn(refusal) ?? '', out),
  thinking(speaker, { thinking, signature }, out) {
    addText(speaker, 'reasoning', 'thinking', thoughtIn(thinking), out)
    const { lastReasoning: blockId } = speaker
    const signatureText = textIn(signature)
    if (blockId !== undefined && signatureText !== undefined)
      out.push({ type: 'block-patch', blockId, signature: signatureText })
  },
  reference: (speaker, part, out) => addCitations(speaker, [part as unknown as Json], out),
  tool_reference(speaker, part, out) {
    addSource(speaker, { url: part.url, title: part.title, snippet: part.description }, out)
    addCitations(speaker, [part as unknown as Json], out)
  },
  image_url: (speaker, { image_url }, out) => fileOf(speaker, image_url, 'image/*', out),
  document_url: (speaker, { document_url }, out) => fileOf(speaker, document_url, 'application/octet-stream', out),
}
const table = new Map(Object.entries(parts))

/** A part of a content list, as Mistral sends it. */
function readPart(speaker: Speaker, part: Part, out: Out): void {
  const row = table.get(part.type)
  if (row === undefined) out.push({ type: 'raw', value: part as unknown as Json, reason: 'unmapped' })
  else row(speaker, part, out)
}

function thoughtIn(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  return objectsIn(thinking)
    .map(({ text }) => textIn(text) ?? '')
    .join('')
}
