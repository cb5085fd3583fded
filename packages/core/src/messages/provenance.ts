import type { Meta } from '../event-fields.ts'
import type { ChatEvent, Folded } from '../fold/shapes.ts'
import type { Json, JsonObject } from '../json.ts'

/** The providers whose seals only they can read, as `meta` names them. */
export type Provider = 'anthropic' | 'openai' | 'google'

/** The names of models, for segments that an earlier version of a parser wrote without `meta`. */
const MODELS: { readonly [Name in Provider]: RegExp } = {
  anthropic: /claude/i,
  openai: /\bgpt|^o\d|codex/i,
  google: /gemini|gemma/i,
}

const providers = Object.keys(MODELS) as Provider[]

/** The provider that sealed a segment; undefined if that is not certain. */
export function ownerOf({ meta }: Folded, { model }: ChatEvent): Provider | undefined {
  const named = providers.find((provider) => meta?.[provider] !== undefined)
  return named ?? (model === undefined ? undefined : providers.find((provider) => MODELS[provider].test(model)))
}

/** Whether a model accepts what another one sealed. Without a name of either, it is taken to be the same. */
export function isSameModel(asked: string | undefined, { model }: ChatEvent): boolean {
  return asked === undefined || model === undefined || plainName(asked) === plainName(model)
}

/** A model's name without the path, the region and the version with which services offer it. */
function plainName(name: string): string {
  const [last = name] = name.split('/').slice(-1)
  return last
    .toLowerCase()
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google)\./, '')
    .replace(/[@:].*$/, '')
    .replace(/-v\d+$/, '')
    .replace(/-(?:latest|\d{8}|\d{4}-\d{2}-\d{2})$/, '')
}

/** The fields of one provider in a `meta`. The AI SDK, whose streams are logged too, has other names for some. */
export function keptBy(provider: Provider, meta: Meta | undefined): JsonObject {
  const kept: JsonObject = meta?.[provider] ?? {}
  return 'itemId' in kept ? { item_id: kept.itemId as Json, ...kept } : kept
}
