import { remember } from '../../data/remember.ts'
import type { EmittedMessage, GraphScope } from './emitted-message.ts'
import type { LangMessage } from './message.ts'

const MAX_NAMELESS = 64

/** The emitted messages, by every id that they have. */
export function createMessageIndex() {
  const byId = new Map<string, Map<string, EmittedMessage>>()
  const nameless = new Map<string, EmittedMessage>()

  function find(scope: GraphScope, id: string | undefined): EmittedMessage | undefined {
    return id === undefined ? undefined : byId.get(id)?.get(scope.key)
  }

  return {
    find,
    /** As `find`, or the same message in an outer or inner graph, because graphs pass messages on. */
    findRelated(scope: GraphScope, message: LangMessage): EmittedMessage | undefined {
      const { id } = message
      const same = find(scope, id)
      if (same !== undefined) return same
      for (const [key, emitted] of byId.get(id ?? '') ?? []) if (areRelated(key, scope.key)) return emitted
      return nameless.size === 0 ? undefined : nameless.get(contentKey(scope, message))
    },
    add(scope: GraphScope, id: string, emitted: EmittedMessage): void {
      const scopes = byId.get(id) ?? new Map<string, EmittedMessage>()
      scopes.set(scope.key, emitted)
      remember(byId, id, scopes)
    },
    /** A message without an id is identified by its content, because a graph may assign ids later, even several. */
    addNameless(scope: GraphScope, message: LangMessage, emitted: EmittedMessage): void {
      remember(nameless, contentKey(scope, message), emitted, MAX_NAMELESS)
    },
  }
}

const contentKey = ({ key }: GraphScope, { role, content, toolCalls }: LangMessage) =>
  JSON.stringify([key, role, content, toolCalls.map(({ id }) => id)])

const areRelated = (one: string, other: string) => isInside(one, other) || isInside(other, one)

const isInside = (inner: string, outer: string) => outer === '' || inner.startsWith(`${outer}|`)
