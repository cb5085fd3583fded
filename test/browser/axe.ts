import axe from 'axe-core'
import type { Page } from 'playwright-core'

const RUN = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`

/** The rules of accessibility that the page breaks, each with the elements. Animations are over first: colours are final then. */
export async function brokenRules(page: Page): Promise<readonly string[]> {
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((each) => each.effect.getTiming().iterations !== Infinity).map((each) => each.finished.catch(() => 0)))',
  )
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(RUN)
}
