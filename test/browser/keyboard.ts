import type { Page } from 'playwright-core'
import { until } from './until.ts'

/** What has the focus, in words. */
export const focusText = (page: Page) =>
  page.evaluate<string>(
    "(document.activeElement?.ariaLabel || document.activeElement?.textContent || '').trim().slice(0, 200)",
  )
/** The entries of the piece that has the focus. */
export const focusedPiece = (page: Page) =>
  page.evaluate<string | undefined>("document.activeElement?.closest('.mr-piece')?.dataset.seqs")

/** Presses Tab until this has the focus. */
export async function tabTo(page: Page, selector: string, most = 60): Promise<void> {
  for (let count = 0; count < most; count++) {
    if (await page.locator(`${selector}:focus`).count()) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${selector}.`)
}

/** Does a command of the palette. */
export async function command(page: Page, letters: string, name: RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command or thread' }).waitFor()
  await page.keyboard.type(letters)
  await until(`the palette offers ${name}`, async () =>
    name.test((await page.locator('.palette [aria-selected=true]').textContent()) ?? ''),
  )
  await page.keyboard.press('Enter')
}
