import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { absence, sharedBrowser } from '../../../proofs/open-browser.ts'
import { buildGallery, ORIGIN, serveGallery } from '../gallery/build.ts'
import type { Stage } from '../gallery/play.tsx'

declare global {
  var stage: Stage
}

/** A busy machine builds the gallery and opens a browser slowly. */
export const OPENING_MS = 60_000

/** The time at which the clock of every page is paused. */
export const NOON = Date.UTC(2026, 0, 1, 12)

/** A browser and the built gallery, for pages that are driven from a test. */
export interface Theatre {
  /** An empty page whose clock only advances when the test says so. The caller closes it. */
  open(): Promise<Performance>
}

export interface Performance {
  readonly page: Page
  /** The URLs outside the gallery that the page requested. */
  readonly requests: readonly string[]
  show(events: readonly ChatEvent[], options?: Parameters<Stage['show']>[1]): Promise<void>
  /** The HTML of all chat events. */
  html(): Promise<string>
}

let gallery: Promise<string> | undefined

/** The folder of the gallery, which is built once for all files of a process. */
function builtGallery(): Promise<string> {
  const build = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'millrace-gallery-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    await buildGallery(folder)
    return folder
  }
  gallery ??= build()
  return gallery
}

export async function openTheatre(): Promise<Theatre> {
  const [folder, browser] = await Promise.all([builtGallery(), sharedBrowser()])
  return {
    async open() {
      const page = await browser.newPage({ viewport: { width: 900, height: 800 } })
      const requests: string[] = []
      await page.clock.install({ time: NOON - 60_000 })
      await serveGallery(page, folder, (url) => requests.push(url))
      await page.goto(`${ORIGIN}/?view=play`)
      await page.waitForFunction(() => document.querySelector('.mr-thread') !== null)
      await page.clock.pauseAt(NOON)
      return {
        page,
        requests,
        show: (events, options = {}) =>
          page.evaluate(([shown, how]) => globalThis.stage.show(JSON.parse(shown), how), [
            JSON.stringify(events),
            options,
          ] as const),
        html: () =>
          page.evaluate(async () => {
            // An image that cannot be decoded is replaced once the browser has tried.
            const tried = [...document.images].map((image) => image.decode().catch(() => undefined))
            await Promise.all(tried)
            await globalThis.stage.drawn()
            return [...document.querySelectorAll('.mr-turn')].map((node) => node.outerHTML).join('\n')
          }),
      }
    },
  }
}

/** A theatre for the tests of one file: runs each act on a new page and closes the page. */
export function openStage(): (act: (performance: Performance) => Promise<void>) => Promise<void> {
  let theatre: Theatre
  beforeAll(async () => {
    if (absence === undefined) theatre = await openTheatre()
  }, OPENING_MS)
  return async (act) => {
    const performance = await theatre.open()
    try {
      await act(performance)
    } finally {
      await performance.page.close()
    }
  }
}
