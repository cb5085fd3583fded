import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { EventOf } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import { keep } from './meta.ts'
import type { Mint, Place } from './place.ts'
import type { Found, GroundingChunk } from './raw.ts'

type Source = EventOf<'source'>

/** What an answer rests on. A source that is told again is no second one. */
export interface Sources {
  /** The new ones among these, and for each of these what citations name it by. */
  add(chunks: readonly GroundingChunk[]): {
    readonly events: readonly Source[]
    readonly named: readonly (JsonObject | undefined)[]
  }
}

export function createSources({ messageId }: Place, mint: Mint): Sources {
  const known = new Map<string, string>()
  return {
    add(chunks) {
      const events: Source[] = []
      const named = chunks.map((chunk) => {
        const found = foundIn(chunk)
        if (found === undefined) return undefined
        const key = JSON.stringify([found.url, found.title, found.snippet])
        const before = known.get(key)
        const sourceId = before ?? mint('source')
        if (before === undefined) {
          remember(known, key, sourceId)
          events.push({ type: 'source', sourceId, messageId, ...found })
        }
        return present({ sourceId, url: found.url, title: found.title }) as JsonObject
      })
      return { events, named }
    },
  }
}

type Description = Pick<Source, 'kind' | 'url' | 'title' | 'snippet' | 'mediaType' | 'meta'>

/** A chunk has one field, called after where it was found: `web`, `retrievedContext`, `maps`, `image`. */
function foundIn(chunk: GroundingChunk): Description | undefined {
  const [place, found] = Object.entries(chunk).find(([, value]) => typeof value === 'object' && value !== null) ?? []
  if (place === undefined || found === null || found === undefined) return undefined
  const { uri, sourceUri, title, documentName, text, mimeType, ...rest }: Found = found
  const url = uri ?? sourceUri
  const isPage = place !== 'retrievedContext' && typeof url === 'string'
  return {
    kind: isPage ? 'url' : 'document',
    ...present({ url, title: title ?? documentName, snippet: text, mediaType: mimeType }),
    ...keep({ ...rest, found: place }),
  }
}
