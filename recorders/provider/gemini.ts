import { type Dialect, newId, textsOf } from './dialect.ts'
import { deltasOf, type Step } from './script.ts'

type Part = { readonly text?: string; readonly functionResponse?: unknown }
type Body = {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly Part[] }[]
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[]
}

const MODEL_VERSION = 'pilot-1'
const SIGNATURE = 'c2lnbmVkLWJ5LW5vYm9keQ=='

export const gemini: Dialect<Body> = {
  answers: (path) => /:(?:streamG|g)enerateContent\b/.test(path),
  streams: (_, path) => path.includes(':streamGenerateContent'),
  conversationOf: ({ contents, tools = [] }) => ({
    userTexts: contents.filter(({ role }) => role !== 'model').flatMap(({ parts }) => textsOf(parts)),
    toolResults: resultsOf(contents.flatMap(({ parts }) => parts)),
    toolNames: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
  }),
  framesOf: function* (step) {
    const responseId = newId('response')
    const chunk = (parts: readonly unknown[], last: boolean) => ({
      data: answerOf(step, parts, last, responseId),
    })
    for (const text of deltasOf(step.reasoning ?? '')) yield chunk([{ text, thought: true }], false)
    for (const text of deltasOf(step.text ?? '')) yield chunk([{ text }], false)
    if (step.error !== undefined) {
      yield { data: { error: { code: 503, message: step.error, status: 'UNAVAILABLE' } } }
      return
    }
    const calls = callPartsOf(step)
    yield chunk(calls.length > 0 ? calls : [{ text: '' }], true)
  },
  wholeOf: (step) =>
    answerOf(
      step,
      [
        ...(step.reasoning === undefined ? [] : [{ text: step.reasoning, thought: true }]),
        ...(step.text === undefined ? [] : [{ text: step.text }]),
        ...callPartsOf(step),
      ],
      true,
      newId('response'),
    ),
}

/** A session that Gemini CLI has resumed holds its results twice. */
function resultsOf(parts: readonly Part[]): readonly string[] {
  const results = parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse]))
  const ids = results.map((result) => (result as { readonly id?: string }).id ?? JSON.stringify(result))
  return results.flatMap((result, index) => (ids.indexOf(ids[index] ?? '') === index ? [JSON.stringify(result)] : []))
}

/** Calls are not streamed: this API streams arguments only on request. The first of several has the signature. */
const callPartsOf = ({ calls = [] }: Step) =>
  calls.map(({ name, input }, index) => ({
    functionCall: { id: newId('call'), name, args: input },
    ...(index === 0 ? { thoughtSignature: SIGNATURE } : {}),
  }))

function answerOf({ usage }: Step, parts: readonly unknown[], last: boolean, responseId: string): unknown {
  const thoughtsTokenCount = usage.reasoning ?? 0
  return {
    candidates: [{ content: { parts, role: 'model' }, ...(last ? { finishReason: 'STOP' } : {}), index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.input,
      ...(last ? { candidatesTokenCount: usage.output - thoughtsTokenCount } : {}),
      totalTokenCount: usage.input + (last ? usage.output : 0),
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
      ...(last && thoughtsTokenCount > 0 ? { thoughtsTokenCount } : {}),
    },
    modelVersion: MODEL_VERSION,
    responseId,
  }
}
