import { FakeMedia } from './media.ts'

/** What a page holds on to, by name: listeners of the window, the document and media queries, and observers. */
const held = new Map<string, number>()

const note = (name: string, change: number) => held.set(name, (held.get(name) ?? 0) + change)

/** Those that are held now. */
export function holdings(): { readonly [name: string]: number } {
  return Object.fromEntries([...held].filter(([, count]) => count !== 0))
}

const isWatched = (target: unknown) =>
  target === undefined || target === window || target === document || target instanceof FakeMedia

/** Starts to count. What React itself adds was added before. */
export function watchHoldings(): void {
  watchListeners()
  window.ResizeObserver = counted(ResizeObserver, 'resize observer')
  window.IntersectionObserver = counted(IntersectionObserver, 'intersection observer')
}

function watchListeners(): void {
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype
  const listeners = new Map<unknown, Set<string>>()
  const ids = new Map<unknown, number>()
  const keyOf = (type: string, listener: unknown) => {
    ids.set(listener, ids.get(listener) ?? ids.size)
    return `${type} ${ids.get(listener)}`
  }
  const ofTarget = (target: unknown) => {
    const key = target ?? window
    const found = listeners.get(key) ?? new Set<string>()
    listeners.set(key, found)
    return found
  }
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...parts) {
    const [type, listener] = parts
    const key = keyOf(type, listener)
    if (isWatched(this) && !ofTarget(this).has(key)) {
      ofTarget(this).add(key)
      note(`listener of ${type}`, 1)
    }
    add.apply(this, parts)
  }
  EventTarget.prototype.removeEventListener = function (this: EventTarget, ...parts) {
    const [type, listener] = parts
    if (isWatched(this) && ofTarget(this).delete(keyOf(type, listener))) note(`listener of ${type}`, -1)
    remove.apply(this, parts)
  }
}

interface Observer {
  observe(...parts: readonly never[]): void
  disconnect(): void
}

/** A class of observers whose connected members are counted. */
function counted<Class extends new (...parts: never[]) => Observer>(Observers: Class, name: string): Class {
  const connected = new WeakSet<object>()
  const { observe, disconnect } = Observers.prototype
  Observers.prototype.observe = function (this: object, ...parts: unknown[]) {
    if (!connected.has(this)) note(name, 1)
    connected.add(this)
    observe.apply(this, parts)
  }
  Observers.prototype.disconnect = function (this: object) {
    if (connected.delete(this)) note(name, -1)
    disconnect.apply(this)
  }
  return Observers
}
