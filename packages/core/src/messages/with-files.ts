import type { AnthropicRequest } from './anthropic.ts'
import { anthropicBlock } from './anthropic-files.ts'
import { chatPart } from './chat-files.ts'
import { type FileContent, fileText } from './files.ts'
import type { GeminiRequest } from './gemini.ts'
import { geminiPart } from './gemini-files.ts'
import { type ModelRequest, modelPart } from './model-messages.ts'
import type { ChatRequest } from './openai-chat.ts'
import type { ResponsesRequest } from './openai-responses.ts'
import type { FileReference } from './request.ts'
import { responsesPart } from './responses-files.ts'

/** The requests that conversions make, by their target. */
interface Requests<File = never> {
  readonly anthropic: AnthropicRequest<File>
  readonly 'openai-chat': ChatRequest<File>
  readonly 'openai-responses': ResponsesRequest<File>
  readonly gemini: GeminiRequest<File>
  readonly 'ai-sdk': ModelRequest<File>
}

type Target = keyof Requests

/** The content of a file, in base64 or at an address that the provider opens; undefined if it is gone. */
export type LoadFile = (
  file: FileReference,
) => Promise<{ readonly bytes: string } | { readonly url: string } | undefined>

const blocks: { readonly [T in Target]: (content: FileContent, file: FileReference) => object | undefined } = {
  anthropic: anthropicBlock,
  'openai-chat': chatPart,
  'openai-responses': responsesPart,
  gemini: geminiPart,
  'ai-sdk': modelPart,
}

const texts: { readonly [T in Target]: (text: string) => object } = {
  anthropic: (text) => ({ type: 'text', text }),
  'openai-chat': (text) => ({ type: 'text', text }),
  'openai-responses': (text) => ({ type: 'input_text', text }),
  gemini: (text) => ({ text }),
  'ai-sdk': (text) => ({ type: 'text', text }),
}

/**
 * The request with the content of its files in its messages. Each file is loaded once; one that is gone, or that the
 * provider does not take after all, is a line of text.
 */
export function withFiles<T extends Target>(
  request: Requests<FileReference>[T] & { readonly target: T },
  load: LoadFile,
): Promise<Requests[T]> {
  const references = new Map<string, FileReference>()
  visit(request.messages, (file) => void references.set(file.fileId, file))
  const loading = [...references].map(([fileId, file]) => load(file).then((content) => [fileId, content] as const))
  return Promise.all(loading).then((loaded) => {
    const contents = new Map(loaded)
    const blockOf = (file: FileReference) => {
      const content = contents.get(file.fileId)
      const { mediaType } = file
      if (content === undefined) return undefined
      return 'bytes' in content
        ? blocks[request.target]({ kind: 'bytes', mediaType, bytes: content.bytes }, file)
        : blocks[request.target]({ kind: 'url', mediaType, url: content.url }, file)
    }
    const replace = (file: FileReference) => blockOf(file) ?? texts[request.target](fileText(file))
    return { ...request, messages: replaced(request.messages, replace) } as unknown as Requests[T]
  })
}

const isReference = (value: unknown): value is FileReference =>
  (value as { readonly type?: unknown } | null)?.type === 'file-reference'

/** References stand in the content of a message, or in that of a block in it. */
function visit(value: unknown, see: (file: FileReference) => void): void {
  if (isReference(value)) see(value)
  else for (const list of listsIn(value)) for (const item of list) visit(item, see)
}

const HOLDERS = ['content', 'parts', 'output'] as const

function listsIn(value: unknown): readonly (readonly unknown[])[] {
  if (Array.isArray(value)) return [value]
  if (typeof value !== 'object' || value === null) return []
  const fields = value as { readonly [field: string]: unknown }
  return HOLDERS.flatMap((field) => (Array.isArray(fields[field]) ? [fields[field] as readonly unknown[]] : []))
}

function replaced(value: unknown, replace: (file: FileReference) => object): unknown {
  if (isReference(value)) return replace(value)
  if (Array.isArray(value)) return value.map((item) => replaced(item, replace))
  if (listsIn(value).length === 0) return value
  const copy = { ...(value as { [field: string]: unknown }) }
  for (const field of HOLDERS) if (Array.isArray(copy[field])) copy[field] = replaced(copy[field], replace)
  return copy
}
