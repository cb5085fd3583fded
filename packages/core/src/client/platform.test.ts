import { afterEach, describe, expect, it, vi } from 'vitest'
import { platformOf, type Wake } from './platform.ts'

/** A page whose frames the test draws. */
function stubPage() {
  const frames: (() => void)[] = []
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const window = new EventTarget()
  const listen = window.addEventListener.bind(window)
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', listen)
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  vi.stubGlobal('requestAnimationFrame', (call: () => void) => frames.push(call))
  return { frames, page, window }
}

describe('the platform', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  it('calls once, with the next frame of the page', () => {
    vi.useFakeTimers()
    const { frames } = stubPage()
    let calls = 0
    platformOf({}).schedule(() => calls++)
    expect(calls).toBe(0)
    for (const frame of frames) frame()
    vi.runAllTimers()
    expect(calls).toBe(1)
  })

  it('does not wait for a frame that a hidden page never draws', () => {
    vi.useFakeTimers()
    const { page } = stubPage()
    let calls = 0
    platformOf({}).schedule(() => calls++)
    vi.advanceTimersByTime(250)
    expect(calls).toBe(1)
    page.visibilityState = 'hidden'
    platformOf({}).schedule(() => calls++)
    vi.advanceTimersByTime(16)
    expect(calls).toBe(2)
  })

  it('uses a timer if there is no page', () => {
    vi.useFakeTimers()
    let calls = 0
    platformOf({}).schedule(() => calls++)
    vi.advanceTimersByTime(16)
    expect(calls).toBe(1)
  })

  it('wakes when the page is shown, visible or online again, until it is unsubscribed', () => {
    const { page, window } = stubPage()
    const wakes: Wake[] = []
    const forget = platformOf({}).onWake((wake) => wakes.push(wake))
    window.dispatchEvent(new Event('online'))
    window.dispatchEvent(new Event('pageshow'))
    page.dispatchEvent(new Event('visibilitychange'))
    page.visibilityState = 'hidden'
    page.dispatchEvent(new Event('visibilitychange'))
    forget()
    window.dispatchEvent(new Event('online'))
    expect(wakes).toEqual(['online', 'visible', 'visible'])
  })

  it('shares between tabs only in a page, and ignores options that are undefined', () => {
    expect(platformOf({}).locks).toBeUndefined()
    expect(platformOf({}).openChannel).toBeUndefined()
    stubPage()
    expect(platformOf({}).openChannel).toBeDefined()
    const options = { now: undefined } as unknown as Parameters<typeof platformOf>[0]
    expect(platformOf(options).now()).toBeGreaterThan(0)
  })
})
