import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const RUN = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`

/** The rules of accessibility that the page breaks, each with the elements. Animations are over first: colours are final then. */
export async function brokenRules(page: Page): Promise<readonly string[]> {
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity).map((each) => each.finished.catch(() => 0)))',
  )
  await page.evaluate(source)
  return page.evaluate<string[]>(RUN)
}
