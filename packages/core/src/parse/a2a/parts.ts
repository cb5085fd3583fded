import { present } from '../../data/present.ts'
import type { Common } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import { isJsonObject, isText, type Json, type JsonObject } from '../../json.ts'
import { createCallNames } from '../kit/call-names.ts'
import { countsOf, sum, usageEvents } from '../kit/counts.ts'
import { objectIn, textIn } from '../kit/fields.ts'
import { fileContent } from '../kit/file.ts'
import { keep } from '../kit/keep.ts'
import { createVoice, type Out, type Voice } from '../kit/voice.ts'
import { inCamelCase } from './results.ts'

/** Where the parts of a message or of an artifact go. */
export interface Target {
  /** Names the files and data of the target. */
  readonly id: string
  readonly voice?: Voice
  readonly scope?: Common
  readonly name?: string | undefined
  /** Takes text in place of `voice`; thoughts are not text. */
  readonly say?: (text: string) => void
}

export interface Parts {
  /** Adds the events of parts. Throws if it does not understand one. Returns the call that waits for a person. */
  add(out: Out, parts: readonly JsonObject[], target: Target): string | undefined
  /** The token counts that an agent of the ADK writes beside what it sends. */
  usage(metadata: JsonObject): readonly StreamEvent[]
}

export function createParts(): Parts {
  const calls = createCallNames()
  let count = 0

  /** Calls of tools are data by convention: agents of the ADK mark them in the metadata of the part. */
  function addCall(out: Out, type: string, data: JsonObject, scope: Common): string | undefined {
    const { id, name, args, response } = data
    const key = textIn(id) ?? textIn(name) ?? 'call'
    if (type === 'function_call') {
      const callId = calls.start(key)
      out.push({ ...scope, type: 'tool-start', callId, name: textIn(name) ?? 'tool', runBy: 'agent' })
      out.push({ ...scope, type: 'tool-input', callId, input: args ?? {} })
      return callId
    }
    const callId = calls.answer(key)
    const output = response ?? null
    const error = errorIn(output)
    if (error === undefined) out.push({ ...scope, type: 'tool-output', callId, status: 'ok', output })
    else out.push({ ...scope, type: 'tool-output', callId, status: 'error', output, error })
    return undefined
  }

  function addOther(out: Out, part: JsonObject, { id, scope = {}, name, voice }: Target): string | undefined {
    const { metadata } = part
    const marks = objectIn(metadata)
    voice?.pause(out)
    const more = keep('a2a', present({ metadata }))
    const sent = fileIn(part)
    if (sent !== undefined) {
      const { filename = name, ...content } = sent
      const file = fileContent(content, 'application/octet-stream')
      out.push({ ...scope, type: 'file', fileId: `${id}:file-${++count}`, ...present({ filename }), ...file, ...more })
      return undefined
    }
    if (part.data === undefined) throw new TypeError('no part of the protocol')
    const type = marked(marks, 'type')
    if ((type === 'function_call' || type === 'function_response') && isJsonObject(part.data)) {
      const callId = addCall(out, type, part.data, scope)
      return marked(marks, 'is_long_running') === true ? callId : undefined
    }
    out.push({ ...scope, type: 'data', name: name ?? 'a2a', id: `${id}:data-${++count}`, data: part.data, ...more })
    return undefined
  }

  return {
    add(out, parts, target) {
      const { id, scope = {}, say } = target
      const voice = target.voice ?? createVoice((kind, number) => `${id}:${kind}-${number}`)
      let waiting: string | undefined
      for (const sent of parts) {
        const part = partIn(sent)
        const { text } = part
        if (!isText(text)) waiting = addOther(out, part, { ...target, voice }) ?? waiting
        else if (marked(objectIn(part.metadata), 'thought') === true)
          voice.say(out, { kind: 'reasoning', ...scope }, text)
        else if (say !== undefined) say(text)
        else voice.say(out, { kind: 'text', ...scope }, text)
      }
      if (target.voice === undefined) voice.pause(out)
      return waiting
    },
    usage(metadata) {
      const counts = marked(metadata, 'usage_metadata')
      if (!isJsonObject(counts)) return []
      const { thoughtsTokenCount, thoughts_token_count = thoughtsTokenCount, ...others } = counts
      const thoughts = typeof thoughts_token_count === 'number' ? thoughts_token_count : undefined
      const read = countsOf(others, COUNTS)
      // Thoughts are counted apart from the answer.
      const outputTokens = sum(read.outputTokens, thoughts)
      return usageEvents(present({ ...read, outputTokens, reasoningTokens: thoughts }), { scope: 'step', mode: 'add' })
    },
  }
}

const COUNTS = {
  inputTokens: ['promptTokenCount', 'prompt_token_count'],
  outputTokens: ['candidatesTokenCount', 'candidates_token_count'],
  cacheReadTokens: ['cachedContentTokenCount', 'cached_content_token_count'],
}

/** A field of metadata that each framework writes behind its own prefix, as in `adk_type`. */
function marked(metadata: JsonObject, name: string): Json | undefined {
  const key = Object.keys(metadata).find((each) => each === name || /^[a-z]+_/.exec(each)?.[0] + name === each)
  return key === undefined ? undefined : metadata[key]
}

/** Dumps of Python have the part under `root`. */
const partIn = (part: JsonObject) => inCamelCase(isJsonObject(part.root) ? part.root : part)

/** Whether a part is text that is no thought. */
export function isPlainText(part: JsonObject): boolean {
  const { text, metadata } = partIn(part)
  return isText(text) && marked(objectIn(metadata), 'thought') !== true
}

/** The texts of parts, without thoughts. */
export function textOfParts(parts: readonly JsonObject[]): string {
  return parts
    .filter(isPlainText)
    .map((part) => partIn(part).text)
    .join('')
}

interface Sent {
  readonly base64: string | undefined
  readonly url: string | undefined
  readonly mediaType: string | undefined
  readonly filename?: string
}

/** A file: in `file` since 0.2, as a part of its own since 1.0. */
function fileIn(part: JsonObject): Sent | undefined {
  const { file, raw, url, filename, mediaType } = part
  if (isJsonObject(file)) {
    const { name, mimeType, bytes, uri, fileWithBytes, fileWithUri, mediaType: type } = inCamelCase(file)
    const base64 = textIn(bytes) ?? textIn(fileWithBytes)
    const address = textIn(uri) ?? textIn(fileWithUri)
    if (base64 === undefined && address === undefined) throw new TypeError('a file without content')
    return {
      base64,
      url: address,
      mediaType: textIn(mimeType) ?? textIn(type),
      ...present({ filename: textIn(name) }),
    }
  }
  if (!isText(raw) && !isText(url)) return undefined
  return {
    base64: textIn(raw),
    url: textIn(url),
    mediaType: textIn(mediaType),
    ...present({ filename: textIn(filename) }),
  }
}

/** The words of a response that is a failure. */
function errorIn(response: Json): string | undefined {
  if (!isJsonObject(response)) return undefined
  const { error, isError, content } = response
  if (isText(error)) return error
  if (isError !== true) return undefined
  const texts = Array.isArray(content) ? content.flatMap((each) => textIn(objectIn(each).text) ?? []) : []
  return texts.join('\n') || 'The call failed.'
}
