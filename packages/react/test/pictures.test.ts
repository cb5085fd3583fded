import type { FileSegment } from '@millrace/core/fold/shapes'
import { describe, expect, it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { pictureUrl } from '../src/segments/picture.tsx'
import { eventOf, htmlOf, wordsOf } from './html.ts'
import { openStage } from './stage.ts'

/** A picture of 2 × 2 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=='
const STORED = '/api/files/0123456789abcdef0123456789abcdef'

const file = (fields: Partial<FileSegment>): FileSegment => ({
  type: 'file',
  fileId: 'f',
  mediaType: 'image/png',
  startedAt: 1000,
  seqs: [1, 1],
  ...fields,
})

describe('a file is shown as a picture', () => {
  it.each<[string, Partial<FileSegment>, string | undefined]>([
    ['from its bytes', { bytes: PNG }, `data:image/png;base64,${PNG}`],
    ['from the store', { url: STORED }, STORED],
    [
      'by what its bytes are, if its type does not say',
      { bytes: PNG, mediaType: 'image/*' },
      `data:image/png;base64,${PNG}`,
    ],
    ['not from elsewhere', { url: 'https://example.com/a.png' }, undefined],
    ['not from a path of the page', { url: '/api/threads' }, undefined],
    ['not from a data URL that the agent wrote', { url: `data:image/png;base64,${PNG}` }, undefined],
    ['not if it may hold scripts', { bytes: 'PHN2Zz4=', mediaType: 'image/svg+xml' }, undefined],
    ['not if it is none', { url: STORED, mediaType: 'application/pdf' }, undefined],
    ['not if it was left out', {}, undefined],
  ])('%s', (_name, fields, url) => {
    expect(pictureUrl(file(fields))).toBe(url)
  })

  it('with its name as its text, and by bytes that no attribute can end', () => {
    const html = htmlOf(eventOf([file({ url: STORED, filename: 'tide "chart".png' })]))
    expect(html).toContain(`<img src="${STORED}" alt="tide &quot;chart&quot;.png"`)
    expect(htmlOf(eventOf([file({ bytes: `iVBORw0KGgo" onload="alert(1)` })]))).not.toContain('" onload')
  })
})

describe('a stored file of a server below a base path', () => {
  it('is loaded from there, as a picture or as a link, and no other file is', () => {
    const files = [
      file({ url: STORED }),
      file({ url: STORED, mediaType: 'application/pdf' }),
      file({ url: 'https://example.com/b.pdf', mediaType: 'application/pdf' }),
    ]
    const html = htmlOf(eventOf(files), { basePath: '/agents' })
    expect(html).toContain(`<img src="/agents${STORED}"`)
    expect(html).toContain(`href="/agents${STORED}"`)
    expect(html).toContain('href="https://example.com/b.pdf"')
  })
})

describe('any other file', () => {
  it('elsewhere is a link that names its host; one that was left out says its size', () => {
    const elsewhere = htmlOf(eventOf([file({ url: 'https://www.example.com/a.png', filename: 'a.png' })]))
    expect(elsewhere).not.toContain('<img')
    expect(wordsOf(elsewhere)).toContain('a.png example.com')
    expect(wordsOf(htmlOf(eventOf([file({ filename: 'b.png', meta: { millrace: { size: 5_000_000 } } })])))).toContain(
      'b.png 5.0 MB',
    )
  })
})

const played = openStage()

describeInBrowser('a thumbnail', () => {
  const shown = [eventOf([file({ bytes: PNG, filename: 'chart.png', meta: { millrace: { size: 79 } } })])]

  it('is enlarged by a click or a key, again and again; Escape, the button and a click beside it close it', () =>
    played(async ({ page, show }) => {
      await show(shown)
      const thumbnail = page.getByRole('button', { name: 'Enlarge chart.png' })
      const enlarged = page.getByRole('dialog', { name: 'chart.png' })
      const closings = [
        () => page.keyboard.press('Escape'),
        () => page.getByRole('button', { name: 'Close' }).click(),
        () => page.mouse.click(5, 5),
        () => page.keyboard.press('Escape'),
      ]
      for (const close of closings) {
        await thumbnail.focus()
        await page.keyboard.press('Enter')
        await enlarged.waitFor()
        expect(await page.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe('chart.png')
        await close()
        await enlarged.waitFor({ state: 'detached' })
        expect(await thumbnail.evaluate((node) => node === document.activeElement)).toBe(true)
      }
      await thumbnail.click()
      await enlarged.waitFor()
      // A click on the image itself does not close it.
      await enlarged.getByRole('img').click()
      expect(await enlarged.count()).toBe(1)
    }))

  it('is enlarged by a click that comes before the browser reports the end of the last dialog, however that was closed', () =>
    played(async ({ page, show }) => {
      await show(shown)
      const enlarged = page.getByRole('dialog', { name: 'chart.png' })
      await page.getByRole('button', { name: 'Enlarge chart.png' }).click()
      for (const closing of ['cancel', 'button', 'beside'] as const) {
        await enlarged.waitFor()
        const ended = await page.evaluate(async (how) => {
          const [dialog] = document.getElementsByTagName('dialog')
          if (dialog === undefined) throw new Error('There is no dialog.')
          const end = new Promise((resolve) => dialog.addEventListener('close', () => resolve('ended')))
          const ways = {
            cancel: () => dialog.dispatchEvent(new Event('cancel', { cancelable: true })) && dialog.close(),
            button: () => dialog.querySelector('button')?.click(),
            beside: () => {
              dialog.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
              dialog.click()
            },
          }
          ways[how]()
          // Keys and clicks come in tasks of their own, between which the page is drawn anew.
          for (let round = 0; round < 3; round++) await new Promise<void>(queueMicrotask)
          document.querySelector<HTMLElement>('.mr-picture')?.click()
          return end
        }, closing)
        expect(ended).toBe('ended')
        await enlarged.waitFor({ timeout: 5_000 })
      }
    }))

  it('that cannot be shown is a name', () =>
    played(async ({ page, show }) => {
      await show([eventOf([file({ bytes: 'iVBORw0KGgoAAAA', filename: 'broken.png' })])])
      await page.locator('.mr-chip', { hasText: 'broken.png' }).waitFor()
      expect(await page.locator('.mr-picture').count()).toBe(0)
    }))
})
