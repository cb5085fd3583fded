import type { Agent } from '@millrace/server/run/agent'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { lines } from './stepped.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

/** Answers at once, each time with another number, and says what it has used. */
function counting(): Agent {
  const encoder = new TextEncoder()
  let answers = 0
  return {
    name: 'wheel',
    title: 'Wheel',
    format: 'agent-lines',
    framing: 'json-lines',
    async *run({ input }, host) {
      const send = (line: object) => encoder.encode(`${JSON.stringify(line)}\n`)
      yield send(lines.text(`Answer ${++answers} to ${input.text}`))
      await host.add([
        { type: 'usage', scope: 'step', mode: 'add', inputTokens: 1_200, outputTokens: 30, costUsd: 0.25 },
      ])
      yield send(lines.done)
    },
  }
}

const answer = ({ page }: Viewer) => page.locator('.mr-prose').last().textContent()
const header = ({ page }: Viewer) => page.locator('.bar .attempt-count').textContent()
const announced = ({ page }: Viewer) => page.locator('.mr-thread > [role=status]').textContent()

describeInBrowser('attempts at an answer', () => {
  const session = useSession(builtWebApp)

  async function open() {
    const mill = await session.startMill([counting()])
    const context = await session.openContext()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const viewer = await openViewer(context, mill.entrance)
    await viewer.page.getByRole('radio', { name: /Wheel/ }).waitFor()
    await viewer.say('Turn')
    const threadId = await viewer.threadId()
    const shows = (text: string) => until(`the page shows ${text}`, async () => (await answer(viewer)) === text)
    const settled = (count: number) =>
      until(`${count} runs have ended`, async () => {
        const runs = await mill.log.runs(threadId)
        return runs.length === count && runs.every(({ state }) => state === 'ended')
      })
    await shows('Answer 1 to Turn')
    await settled(1)
    return { mill, context, viewer, page: viewer.page, threadId, shows, settled }
  }

  it('are made by regenerating and by editing, are kept, and are chosen from; each can be gone on with', async () => {
    const { mill, viewer, page, threadId, shows, settled } = await open()
    expect(await page.locator('.attempts').count()).toBe(0)
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await shows('Answer 2 to Turn')
    await settled(2)
    await until('there are two', async () => (await header(viewer)) === '2 of 2')
    expect(await page.locator('.mr-user-box').count()).toBe(1)

    await page.locator('.mr-user-box').hover()
    await page.getByRole('button', { name: 'Edit' }).click()
    const field = page.getByRole('textbox', { name: 'Message' })
    await until('the message is in the field', async () => (await field.inputValue()) === 'Turn')
    expect(await viewer.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
    await field.fill('Turn slowly')
    await page.keyboard.press('Enter')
    await shows('Answer 3 to Turn slowly')
    await settled(3)
    expect((await mill.log.runs(threadId)).map(({ afterRunId }) => afterRunId)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    await until('there are three', async () => (await header(viewer)) === '3 of 3')

    await page.locator('.bar .attempt-count').click()
    const items = page.getByRole('dialog', { name: 'All attempts' }).getByRole('listitem')
    expect((await items.allInnerTexts()).map((text) => text.split('\n').slice(1, 3).join(' | '))).toEqual([
      expect.stringMatching(/^First answer \| (?:.* · )?\$0\.25$/),
      expect.stringMatching(/^Regenerated \| (?:.* · )?\$0\.25$/),
      expect.stringMatching(/^Edited: “Turn slowly” \| (?:.* · )?\$0\.25$/),
    ])
    expect(await brokenRules(page)).toEqual([])
    await items.first().getByRole('button').click()
    await shows('Answer 1 to Turn')
    expect(await header(viewer)).toContain('1 of 3')

    await viewer.say('And then')
    await shows('Answer 4 to And then')
    await settled(4)
    const runs = await mill.log.runs(threadId)
    expect(runs.at(-1)?.afterRunId).toBe(runs[0]?.id)
    const before = await viewer.html()
    await page.reload()
    await until('the page is as it was', async () => (await viewer.html()) === before)
    // Nothing of the other attempts was announced on this page: it is no news all the same.
    await page.locator('.bar').getByRole('button', { name: 'Attempt after' }).click()
    await shows('Answer 2 to Turn')
    await page.waitForTimeout(400)
    expect(await announced(viewer)).toBe('')
    expect(viewer.troubles).toEqual([])
  })

  it('are reached by keys, and a message that is edited can be left as it was', async () => {
    const { viewer, page, shows, settled } = await open()
    const blur = () => viewer.evaluate('document.activeElement.blur()')
    await blur()
    await page.keyboard.press('r')
    await shows('Answer 2 to Turn')
    await settled(2)
    await until('there are two', async () => (await header(viewer)) === '2 of 2')
    await blur()
    await page.keyboard.press('b')
    await page.getByRole('dialog', { name: 'All attempts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await viewer.evaluate('document.activeElement.className')).toBe('attempt-count')
    await page.locator('.bar').getByRole('button', { name: 'Attempt before' }).press('Enter')
    await shows('Answer 1 to Turn')
    await page.locator('.bar').getByRole('button', { name: 'Attempt before' }).press('Enter')
    expect(await header(viewer)).toContain('1 of 2')

    await page.getByRole('textbox', { name: 'Message' }).fill('A draft')
    await blur()
    await page.keyboard.press('e')
    await page.getByText('Editing a message.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Editing a message.').waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('A draft')
    expect(viewer.troubles).toEqual([])
  })

  it('have links of their own: an entry of an attempt that is not the newest opens that attempt', async () => {
    const { context, viewer, page, shows, settled } = await open()
    await page.locator('.mr-prose').last().hover()
    await page.locator('.piece-link button').click()
    const link = await viewer.evaluate<string>('navigator.clipboard.readText()')
    await page.getByRole('button', { name: 'Copy answer' }).click()
    expect(await viewer.evaluate<string>('navigator.clipboard.readText()')).toBe('Answer 1 to Turn')
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await shows('Answer 2 to Turn')
    await settled(2)
    const other = await openViewer(context, link)
    await until('the first attempt is shown', async () => (await answer(other)) === 'Answer 1 to Turn')
    expect(await header(other)).toContain('1 of 2')
    expect(other.page.url()).toContain('run=')
    expect([...viewer.troubles, ...other.troubles]).toEqual([])
  })

  it('show what was used by model, and of the branch that is shown', async () => {
    const { viewer, page, shows, settled } = await open()
    await viewer.say('And then')
    await shows('Answer 2 to And then')
    await settled(2)
    await until(
      'both are counted',
      async () => (await page.locator('.meter').textContent())?.includes('2.4k in') === true,
    )
    await viewer.evaluate('document.activeElement.blur()')
    await page.keyboard.press('u')
    const usage = page.getByRole('dialog', { name: 'Usage' })
    await usage.waitFor()
    expect((await usage.getByRole('row').allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'Model Input Output Cost',
      'Model not reported 2.4k 60 $0.500',
      '2 model calls 2.4k 60 $0.500',
    ])
    expect(await brokenRules(page)).toEqual([])
    expect(viewer.troubles).toEqual([])
  })
})
