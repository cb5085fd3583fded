import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import type { MessageScope, Mint } from './message-scope.ts'
import { keep } from './meta.ts'
import type { Found, GroundingChunk } from './raw.ts'

type Source = EventOf<'source'>

/** The sources of an answer. A repeated source is not emitted again. */
export interface Sources {
  /** The events of the new sources, and for each source the reference that citations use. */
  add(chunks: readonly GroundingChunk[]): {
    readonly events: readonly Source[]
    readonly references: readonly (JsonObject | undefined)[]
  }
}

export function createSources({ messageId }: MessageScope, mint: Mint): Sources {
  const idsByKey = new Map<string, string>()
  return {
    add(chunks) {
      const events: Source[] = []
      const references = chunks.map((chunk) => {
        const found = descriptionOf(chunk)
        if (found === undefined) return undefined
        const key = JSON.stringify([found.url, found.title, found.snippet])
        const existingId = idsByKey.get(key)
        const sourceId = existingId ?? mint('source')
        if (existingId === undefined) {
          remember(idsByKey, key, sourceId)
          events.push({ type: 'source', sourceId, messageId, ...found })
        }
        return present({ sourceId, url: found.url, title: found.title }) as JsonObject
      })
      return { events, references }
    },
  }
}

type Description = Pick<Source, 'kind' | 'url' | 'title' | 'snippet' | 'mediaType' | 'meta'>

/** A chunk has one field, named after its origin: `web`, `retrievedContext`, `maps`, `image`. */
function descriptionOf(chunk: GroundingChunk): Description | undefined {
  const [origin, found] = Object.entries(chunk).find(([, value]) => typeof value === 'object' && value !== null) ?? []
  if (origin === undefined || found === null || found === undefined) return undefined
  const { uri, sourceUri, title, documentName, text, mimeType, ...otherFields }: Found = found
  const url = uri ?? sourceUri
  const isPage = origin !== 'retrievedContext' && typeof url === 'string'
  return {
    kind: isPage ? 'url' : 'document',
    ...present({ url, title: title ?? documentName, snippet: text, mediaType: mimeType }),
    ...keep({ ...otherFields, found: origin }),
  }
}
