import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { post } from './feed.ts'
import { useSession } from './session.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const LINES = 60_000
const COLOURS = [31, 32, 33, 34, 35, 36]

/** Each line in a colour of its own, which ends only with the next one. */
const output = Array.from({ length: LINES }, (_, line) => `\u001b[${COLOURS[line % COLOURS.length]}mline ${line}`).join(
  '\n',
)

describeInBrowser('a very long output', () => {
  const session = useSession(builtWebApp)

  it('is read to its end, in its colours, with few elements in the page', async () => {
    const mill = await session.startMill([])
    const records = [
      { type: 'tool_use', data: { id: 'c1', name: 'Bash', input: { command: 'make' } } },
      { type: 'tool_result', data: { tool_use_id: 'c1', content: output } },
      { type: 'text', data: { content: 'It is made.' } },
    ]
    const body = records.map((record) => JSON.stringify(record)).join('\n')
    const { threadId } = await post(mill, { format: 'agent-lines' }, body)
    const { page, evaluate, troubles } = await openViewer(await session.openContext(), mill.entrance)
    await page.goto(`${mill.url}/t/${threadId}`)
    await page.locator('.mr-tool button.mr-head').click()
    await page.getByRole('button', { name: /Show .*lines/ }).click()
    const box = page.locator('.mr-windowed')
    await box.getByText('line 0', { exact: true }).waitFor()
    const nodes = () => evaluate<number>("document.querySelectorAll('.mr-thread *').length")
    expect(await nodes()).toBeLessThan(1_000)
    await box.focus()
    await page.keyboard.press('End')
    const last = box.getByText(`line ${LINES - 1}`, { exact: true })
    await last.waitFor()
    expect(await last.getAttribute('class')).toBe('mr-ansi-cyan')
    expect(await nodes()).toBeLessThan(1_000)
    await page.keyboard.press('Home')
    await until('the first line is back', async () => (await box.getByText('line 1', { exact: true }).count()) === 1)
    expect(await brokenRules(page)).toEqual([])
    expect(troubles).toEqual([])
  })
})
