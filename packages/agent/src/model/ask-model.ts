import { summaryOf } from '@millrace/core/messages'
import { keyOf, type ResolvedModel } from './model.ts'
import { post } from './post.ts'
import type { Turn } from './turn.ts'

/** One request to a model: yields the bytes of its answer, as the provider sends them. Throws a `ModelFailure`. */
export async function* askModel(
  model: ResolvedModel,
  turn: Omit<Turn, 'model' | 'vendor'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const { api, name, baseUrl, headers, limits, vendor } = model
  const key = keyOf(model, process.env)
  const { body, messages } = await api.requestOf({ ...turn, model: name, vendor })
  yield* post({
    provider: `${api.title} (${new URL(baseUrl).host})`,
    url: api.urlOf(baseUrl, name),
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...api.headers,
      ...(key !== undefined && api.headersOf(key)),
      ...headers,
    },
    body: JSON.stringify(body),
    secrets: [...(key === undefined ? [] : [key]), ...Object.values(headers)].filter(isSecret),
    limits,
    signal,
    summary: () => summaryOf(messages),
  })
}

/** A shorter value is a word that stands everywhere: to hide it would hide what the provider says. */
const isSecret = (value: string) => value.length >= 8
