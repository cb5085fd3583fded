import { type ApiName, apis } from './apis.ts'
import { ModelFailure } from './failure.ts'
import { type PostLimits, postLimits } from './post.ts'

/** A model, and where it is: by default at its vendor, with the key of the vendor's variable. */
export interface Model {
  readonly api: ApiName
  readonly name: string
  /** Another address that speaks the API, such as `http://127.0.0.1:11434/v1`. It gets no key unless one is named. */
  readonly baseUrl?: string
  readonly headers?: { readonly [name: string]: string }
  /** The variable that holds the key. */
  readonly keyVariable?: string
  /** A row of `chatVendors`, for services that speak Chat Completions with rules of their own; default: by the address. */
  readonly vendor?: string
  readonly limits?: Partial<PostLimits>
}

/** A model with everything that a request needs. */
export interface ResolvedModel {
  readonly api: (typeof apis)[ApiName]
  readonly name: string
  readonly baseUrl: string
  readonly headers: { readonly [name: string]: string }
  readonly keyVariable: string | undefined
  readonly vendor: string | undefined
  readonly limits: PostLimits
}

const FORM = 'Write a model as "anthropic:NAME", "openai:NAME", "openai-chat:NAME" or "gemini:NAME"'

/** `anthropic:claude-…` as a model. Throws a `TypeError` with a sentence if the text names none. */
export function modelOf(text: string): Model {
  const at = text.indexOf(':')
  const api = text.slice(0, at)
  const name = text.slice(at + 1)
  if (at === -1 || name === '' || !isApi(api)) throw new TypeError(`${FORM}, not "${text}".`)
  return { api, name }
}

const isApi = (name: string): name is ApiName => Object.hasOwn(apis, name)

/** Throws a `TypeError` if the model cannot be asked, whatever the environment holds. */
export function resolveModel(given: string | Model, environment: NodeJS.ProcessEnv): ResolvedModel {
  const model = typeof given === 'string' ? modelOf(given) : given
  const { name, headers = {}, limits = {} } = model
  if (!isApi(model.api)) throw new TypeError(`${FORM}, not "${model.api}:${name}".`)
  const api = apis[model.api]
  const own = model.baseUrl ?? (environment[api.baseVariable] || undefined)
  const baseUrl = own ?? api.baseUrl
  const { protocol, username, password } = URL.canParse(baseUrl) ? new URL(baseUrl) : { protocol: '' }
  if (!['http:', 'https:'].includes(protocol) || username || password) {
    throw new TypeError(
      `"${baseUrl}" is no address of a model: it must begin with http:// or https:// and hold no password.`,
    )
  }
  return {
    api,
    name,
    baseUrl: withoutTrailingSlashes(baseUrl),
    headers,
    // A key belongs to its vendor: an address that a file names gets it only if the file says so.
    keyVariable: model.keyVariable ?? (model.baseUrl === undefined ? api.keyVariable : undefined),
    vendor: model.vendor ?? vendorAt(new URL(baseUrl).hostname),
    limits: { ...postLimits, ...limits },
  }
}

/** The services that are recognised by their address. */
const HOSTS: { readonly [domain: string]: string } = {
  'deepseek.com': 'deepseek',
  'groq.com': 'groq',
  'cerebras.ai': 'cerebras',
  'mistral.ai': 'mistral',
  'openrouter.ai': 'openrouter',
  'x.ai': 'xai',
  'azure.com': 'azure',
  'googleapis.com': 'google',
  'openai.com': 'openai',
}

const vendorAt = (host: string): string =>
  Object.entries(HOSTS).find(([domain]) => host === domain || host.endsWith(`.${domain}`))?.[1] ?? 'openai-compatible'

/** The key, if the model has one. Throws if it should and the environment has none. */
export function keyOf(model: ResolvedModel, environment: NodeJS.ProcessEnv): string | undefined {
  const { keyVariable } = model
  if (keyVariable === undefined) return undefined
  const key = environment[keyVariable]
  if (key === undefined || key === '') throw new ModelFailure('no-key', missingKey(keyVariable))
  return key
}

/** The variable that must hold a key and does not. */
export function missingKeyOf({ keyVariable }: ResolvedModel, environment: NodeJS.ProcessEnv): string | undefined {
  return keyVariable !== undefined && !environment[keyVariable] ? keyVariable : undefined
}

export const missingKey = (variable: string) =>
  `The variable ${variable} is not set; it must hold the key of the model.`

function withoutTrailingSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
