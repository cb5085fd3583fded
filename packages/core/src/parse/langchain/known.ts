import { remember } from '../../data/remember.ts'
import type { LangMessage } from './message.ts'
import type { Scope, Told } from './told.ts'

/** How many messages without an id are remembered. */
const MAX_NAMELESS = 64

/** The messages that were told, by every id that they were given. */
export interface Known {
  find(scope: Scope, id: string | undefined): Told | undefined
  /** As `find`, or the same message told in a graph around or inside this one: graphs hand messages on. */
  findRelated(scope: Scope, message: LangMessage): Told | undefined
  add(scope: Scope, id: string, told: Told): void
  /** A message that came without an id is known by what it says: a graph gives it an id later, more than one even. */
  addNameless(scope: Scope, message: LangMessage, told: Told): void
}

export function createKnown(): Known {
  const byId = new Map<string, Map<string, Told>>()
  const nameless = new Map<string, Told>()

  function find(scope: Scope, id: string | undefined): Told | undefined {
    return id === undefined ? undefined : byId.get(id)?.get(scope.key)
  }

  return {
    find,
    findRelated(scope, message) {
      const { id } = message
      const same = find(scope, id)
      if (same !== undefined) return same
      for (const [key, told] of byId.get(id ?? '') ?? []) if (areRelated(key, scope.key)) return told
      return nameless.size === 0 ? undefined : nameless.get(saidBy(scope, message))
    },
    add(scope, id, told) {
      const scopes = byId.get(id) ?? new Map<string, Told>()
      scopes.set(scope.key, told)
      remember(byId, id, scopes)
    },
    addNameless(scope, message, told) {
      remember(nameless, saidBy(scope, message), told, MAX_NAMELESS)
    },
  }
}

const saidBy = ({ key }: Scope, { role, content, toolCalls }: LangMessage) =>
  JSON.stringify([key, role, content, toolCalls.map(({ id }) => id ?? null)])

const areRelated = (one: string, other: string) => isInside(one, other) || isInside(other, one)

const isInside = (inner: string, outer: string) => outer === '' || inner.startsWith(`${outer}|`)
