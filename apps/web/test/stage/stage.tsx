import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { advance, installClock, timerCount } from './clock.ts'
import { holdings } from './holdings.ts'
import { installMedia } from './media.ts'
import { scriptedFetch, server } from './server.ts'

/** One promise of the app, played in a browser. It rejects if the promise is broken. */
export type Scene = () => Promise<void> | void
export interface Scenes {
  readonly [promise: string]: Scene
}

const nativeTimeout = globalThis.setTimeout.bind(globalThis)
const nativeFrame = globalThis.requestAnimationFrame?.bind(globalThis)
const ROUND_MS = 2
const MOST_ROUNDS = 1_500
let roots: { readonly root: Root; readonly box: HTMLElement }[] = []

/** Draws an element until the scene is over. */
export function mount(element: ReactNode) {
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  const mounted = { root, box }
  roots.push(mounted)
  flushSync(() => root.render(element))
  return {
    box,
    update: (next: ReactNode) => flushSync(() => root.render(next)),
    unmount() {
      roots = roots.filter((each) => each !== mounted)
      flushSync(() => root.unmount())
      box.remove()
    },
  }
}

/** Mounts a hook. `value` is what it returned last. */
export function mountHook<Value, Input = undefined>(
  useIt: (input: Input) => Value,
  input: Input,
  wrap: (child: ReactNode) => ReactNode = (child) => child,
) {
  const values: Value[] = []
  function Probe({ given }: { readonly given: Input }) {
    values.push(useIt(given))
    return undefined
  }
  const draw = (given: Input) => wrap(<Probe given={given} />)
  const mounted = mount(draw(input))
  return {
    get value(): Value {
      return values.at(-1) as Value
    },
    update: (next: Input) => mounted.update(draw(next)),
    unmount: mounted.unmount,
  }
}

/** One turn of the event loop, without the delay of a timer. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}

/** The browser has laid out and drawn the page: observers have reported. */
export async function drawn(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise(nativeFrame)
  await settled()
}

/** Frames of the app come at once: what it shows does not depend on how fast the browser draws. */
function installFrames(): void {
  window.requestAnimationFrame = (call) => {
    void turn().then(() => call(performance.now()))
    return 0
  }
}

const TURNS = 12

/** Everything that is due without a timer of the app has happened. */
export async function settled(): Promise<void> {
  for (let round = 0; round < TURNS; round++) await turn()
}

/** Lets time pass, and everything happen that is due. */
export async function pass(milliseconds: number): Promise<void> {
  await settled()
  advance(milliseconds)
  await settled()
}

/** Resolves when it holds. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (holds()) return
    await new Promise((resolve) => nativeTimeout(resolve, ROUND_MS))
  }
  throw new Error(`It did not come true: ${what}.`)
}

export function same(found: unknown, expected: unknown, what = 'the value'): void {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value, undefined, 1) ?? 'undefined')
  if (one !== other) throw new Error(`${what} is ${one}, expected ${other}`)
}

/** Plays a scene on an empty page. Afterwards nothing of it remains: no listener, timer or observer, and no request. */
export async function play(scene: Scene): Promise<void> {
  const unhandled: unknown[] = []
  const onUnhandled = ({ reason }: PromiseRejectionEvent) => unhandled.push(reason)
  window.addEventListener('unhandledrejection', onUnhandled)
  const before = holdings()
  document.body.replaceChildren()
  document.documentElement.removeAttribute('data-theme')
  history.replaceState(undefined, '', '/')
  localStorage.clear()
  server.reset()
  installClock()
  installMedia()
  installFrames()
  window.fetch = scriptedFetch
  try {
    await scene()
    await leave()
    same(holdings(), before, 'what the page still holds after it was left')
    await settled()
    same(unhandled.map(String), [], 'the failures that nothing handled')
  } finally {
    for (const { root } of roots) root.unmount()
    roots = []
    window.removeEventListener('unhandledrejection', onUnhandled)
  }
}

/** The page is left while requests are under way. They fail late, time passes, and nobody asks again. */
async function leave(): Promise<void> {
  await settled()
  for (const { root } of roots) flushSync(() => root.unmount())
  roots = []
  const count = server.asked.length
  for (const asked of server.open('\\S+ \\S+')) asked.refuse(404)
  await pass(60_000)
  same(
    server.asked.slice(count).map(({ route }) => route),
    [],
    'what was requested after the page was left',
  )
  same(timerCount(), 0, 'the number of timers after the page was left')
}
