import { isJsonObject, type JsonObject } from '@millrace/core/json'
import { blocksIn, type ProviderRule } from './rule.ts'

const partsIn = (content: JsonObject | undefined) => blocksIn(content, 'parts')
const fieldsIn = (content: JsonObject | undefined, field: string) =>
  partsIn(content).flatMap((part) => (isJsonObject(part[field]) ? [part[field] as JsonObject] : []))

/** The rules of Gemini. */
export const geminiRules: readonly ProviderRule[] = [
  {
    id: 'G1',
    promise: 'a content has as many functionResponses as the content before it has functionCalls',
    *check(contents) {
      for (const [index, content] of contents.entries()) {
        const calls = fieldsIn(content, 'functionCall').length
        const responses = fieldsIn(contents[index + 1], 'functionResponse').length
        if (calls > 0 && calls !== responses) yield `content ${index} has ${calls} calls and ${responses} responses`
      }
    },
  },
  {
    id: 'G2',
    promise: 'responses stand directly behind their calls, by id and name, and no content is empty',
    *check(contents) {
      for (const [index, content] of contents.entries()) {
        if (partsIn(content).length === 0) yield `content ${index} is empty`
        if (contents[index - 1]?.role === content.role) yield `content ${index} repeats its role`
        const calls = fieldsIn(contents[index - 1], 'functionCall')
        for (const [at, { id, name }] of fieldsIn(content, 'functionResponse').entries())
          if (calls[at]?.id !== id || calls[at]?.name !== name) yield `the response ${name} is not behind its call`
      }
    },
  },
  {
    id: 'G3',
    promise: 'for Gemini 3 the first call of a content has a signature',
    *check(contents, _request, { model = '' }) {
      if (!/gemini-(?:[3-9]|\d\d)/.test(model)) return
      for (const content of contents) {
        const call = partsIn(content).find(({ functionCall }) => functionCall !== undefined)
        if (call !== undefined && typeof call.thoughtSignature !== 'string') yield 'a call is not signed'
      }
    },
  },
  {
    id: 'G4',
    promise: 'a signature stands on the part that it came with, and no other',
    *check(contents, _request, { chatEvents, model }) {
      const kept = chatEvents.flatMap((chatEvent) =>
        chatEvent.segments.flatMap((segment) => {
          const { thoughtSignature, responseSignature } = segment.meta?.google ?? {}
          return [thoughtSignature, responseSignature, segment.type === 'reasoning' ? segment.signature : undefined]
            .filter((signature) => signature !== undefined)
            .map((signature) => ({
              signature,
              model: chatEvent.model,
              text: 'text' in segment ? segment.text : undefined,
            }))
        }),
      )
      for (const { thoughtSignature: sent, text } of contents.flatMap(partsIn)) {
        if (sent === undefined || sent === 'skip_thought_signature_validator') continue
        const sources = kept.filter(({ signature }) => signature === sent)
        const isOfModel = (source: { readonly model: string | undefined }) =>
          model === undefined || source.model === undefined || source.model === model
        if (sources.length === 0) yield 'a signature is of nobody'
        else if (text !== undefined && !sources.some((source) => source.text === text))
          yield 'a signature stands on another text'
        else if (!sources.some(isOfModel)) yield `a signature is of ${sources[0]?.model}`
      }
    },
  },
  {
    id: 'G5',
    promise: 'a functionResponse has a name, and an object as its response; each part has one content',
    *check(contents) {
      for (const { name, response } of contents.flatMap((content) => fieldsIn(content, 'functionResponse')))
        if (typeof name !== 'string' || name === '' || !isJsonObject(response))
          yield `the response ${name} is no object`
      for (const part of contents.flatMap(partsIn)) {
        const fields = Object.keys(part).filter((field) => field !== 'thought' && field !== 'thoughtSignature')
        if (fields.length !== 1) yield `a part has ${fields.join() || 'nothing'}`
      }
      for (const { role } of contents) if (role !== 'user' && role !== 'model') yield `a content is of ${role}`
    },
  },
]
