import type { JsonObject } from '@millrace/core/json'
import { anthropicBody, chatBody, geminiBody, responsesBody } from './bodies.ts'
import type { Request, Turn } from './turn.ts'

/** The API of a provider: where it is, how a request is made, and which parser reads the answer. */
export interface Api {
  readonly title: string
  /** The parser of the answer. */
  readonly format: string
  readonly baseUrl: string
  /** The variable that moves the API to another address, as the vendor's own packages have it. */
  readonly baseVariable: string
  readonly keyVariable: string
  /** Beside the key, what every request must have. */
  readonly headers: { readonly [name: string]: string }
  urlOf(baseUrl: string, model: string): string
  headersOf(key: string): { readonly [name: string]: string }
  requestOf(turn: Turn): Promise<Request<JsonObject>>
}

/** The address below a base that may already name the version. */
const below = (baseUrl: string, version: string, path: string) =>
  /^v\d{1,4}(?:(?:beta|alpha)\d{0,4})?$/.test(baseUrl.slice(baseUrl.lastIndexOf('/') + 1))
    ? `${baseUrl}/${path}`
    : `${baseUrl}/${version}/${path}`

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const openai = {
  baseUrl: 'https://api.openai.com/v1',
  baseVariable: 'OPENAI_BASE_URL',
  keyVariable: 'OPENAI_API_KEY',
  headers: {},
  headersOf: bearer,
} as const

const rows = {
  anthropic: {
    title: 'Anthropic',
    format: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    baseVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    headers: { 'anthropic-version': '2023-06-01' },
    urlOf: (baseUrl) => below(baseUrl, 'v1', 'messages'),
    headersOf: (key) => ({ 'x-api-key': key }),
    requestOf: async (turn) => {
      const body = await anthropicBody(turn)
      return { body: merged(body, turn.options), messages: body.messages }
    },
  },
  openai: {
    ...openai,
    title: 'OpenAI',
    format: 'openai-responses',
    urlOf: (baseUrl) => `${baseUrl}/responses`,
    requestOf: async (turn) => {
      const body = await responsesBody(turn)
      return { body: merged(body, turn.options), messages: body.input }
    },
  },
  'openai-chat': {
    ...openai,
    title: 'Chat Completions',
    format: 'openai-chat',
    urlOf: (baseUrl) => `${baseUrl}/chat/completions`,
    requestOf: async (turn) => {
      const body = await chatBody(turn)
      return { body: merged(body, turn.options), messages: body.messages }
    },
  },
  gemini: {
    title: 'Gemini',
    format: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    baseVariable: 'GOOGLE_GEMINI_BASE_URL',
    keyVariable: 'GEMINI_API_KEY',
    headers: {},
    urlOf: (baseUrl, model) =>
      below(baseUrl, 'v1beta', `models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`),
    headersOf: (key) => ({ 'x-goog-api-key': key }),
    requestOf: async (turn) => {
      const body = await geminiBody(turn)
      return { body: merged(body, turn.options), messages: body.contents }
    },
  },
} as const satisfies { readonly [name: string]: Api }

export type ApiName = keyof typeof rows

export const apis: { readonly [Name in ApiName]: Api } = rows

/** The options win; a list of tools is added to that of the request, because a provider has tools of its own. */
function merged(body: object, options: JsonObject): JsonObject {
  const { tools: own = [] } = body as { readonly tools?: readonly JsonObject[] }
  const { tools } = options
  return { ...body, ...options, ...(Array.isArray(tools) && { tools: [...tools, ...own] }) }
}
