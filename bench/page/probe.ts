import type { Browser, CDPSession, Page } from 'playwright-core'

/** How many times slower than this machine the page's processor is. */
export const THROTTLE = 4

/** A page on a slow machine, and what its main thread does. */
export interface Probe {
  readonly page: Page
  /** The longest task since the last call, in milliseconds, as the page's slow processor took it. */
  longestTask(): Promise<number>
  /** The time that the main thread has worked so far, in milliseconds of this machine. */
  busyMs(): Promise<number>
  close(): Promise<void>
}

const WATCH = `
  globalThis.longTasks = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })`

export async function openProbe(browser: Browser): Promise<Probe> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(`  the page has failed: ${error.message.slice(0, 300)}`))
  await page.addInitScript(WATCH)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
  return {
    page,
    longestTask: () => page.evaluate<number>('Math.max(0, ...longTasks.splice(0))'),
    busyMs: () => taskMs(session),
    close: () => context.close(),
  }
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
