import type { StreamEvent } from '@millrace/core/events'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { eventsAgent, longRun, timelineStory } from './timeline-story.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

/** Boxes of the timeline that are wider than what they show, and texts that are cut without an ellipsis. */
const overflows = ({ evaluate }: Viewer) =>
  evaluate<string[]>(`[...document.querySelectorAll('html, body, .app, .work, .tl, .tl-main, .tl-rows, .tl-side')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className || box.tagName)`)

describeInBrowser('the timeline', () => {
  const session = useSession(builtWebApp)

  async function open(events = timelineStory, isOpen = true, options: Parameters<typeof session.openContext>[0] = {}) {
    const mill = await session.startMill([eventsAgent(events, isOpen)])
    const context = await session.openContext({ viewport: { width: 1440, height: 900 }, ...options })
    const viewer = await openViewer(context, mill.entrance)
    await viewer.say('The gate opens too late.')
    const threadId = await viewer.threadId()
    // The server has the run: the page that sent it may be left.
    await mill.heard(threadId, 1)
    await viewer.page.goto(`${mill.url}/t/${threadId}?view=timeline`)
    await viewer.page.locator('.tl-row').nth(2).waitFor()
    return { ...viewer, viewer, mill, threadId }
  }

  const row = ({ page }: Viewer, words: string) => page.locator('.tl-row', { hasText: words }).first()
  const chosen = async ({ page }: Viewer) =>
    (await page.locator('.tl-row[aria-selected="true"] .tl-name').allTextContents()).join(' | ')

  it('says what the run waited for, and what of it could have been slower', async () => {
    const { page, viewer, evaluate, troubles } = await open()
    const names = await page.locator('.tl-name b').allTextContents()
    expect(names).toEqual(
      ['Run', 'Sandbox and rules read', 'Model call 1', 'Thought', '5 tools', 'Model call 2', 'test-writer']
        .concat(['4 model calls', 'Read ×3', 'Write', 'Bash', 'Model call 3', 'Edit', 'Model call 4', 'Bash'])
        .concat(['Model call 5', 'Bash', 'Bash']),
    )
    await row(viewer, 'src/gate/sluice.ts').click()
    const side = page.locator('.tl-side')
    expect(await side.textContent()).toContain(
      'Could have ended 18.5s later without delaying the run so far: test-writer',
    )
    expect(await side.locator('.tl-phases li').allTextContents()).toEqual([
      'Model writes the input1.8s',
      'Tool runs1.9s',
    ])
    expect(await side.textContent()).toContain('Cache read11.6k of 12.8k')
    await row(viewer, 'test-writer').click()
    expect(await side.textContent()).toContain('The run waited for it, for 49.0s')
    // The parts of the summary add up to the wall time.
    const [wall, sum] = await evaluate<[number, number]>(`[
      Number(document.querySelector('.tl-edge[data-edge=to]').getAttribute('aria-valuenow')) / 1000,
      [...document.querySelectorAll('.tl-spent-key b')].reduce((sum, each) => sum + Number.parseFloat(each.textContent), 0),
    ]`)
    expect(Math.abs(wall - sum)).toBeLessThan(0.11)
    expect(wall).toBeGreaterThan(133.9)
    expect(troubles).toEqual([])
  })

  it('draws the path as one line from the first bar to the end', async () => {
    const { evaluate } = await open()
    const gaps = await evaluate<number>(`(() => {
      const boxes = [...document.querySelectorAll('.tl-path, .tl-steps i')].map((each) => each.getBoundingClientRect())
      const touches = (one, other) => one.left <= other.right + 1.5 && other.left <= one.right + 1.5 &&
        one.top <= other.bottom + 1.5 && other.top <= one.bottom + 1.5
      const reached = new Set([0])
      for (const at of reached) boxes.forEach((box, index) => touches(boxes[at], box) && reached.add(index))
      return boxes.length - reached.size
    })()`)
    expect(gaps).toBe(0)
    const aligned = await evaluate<number>(
      `new Set([...document.querySelectorAll('.tl-cost')].map((each) => each.getBoundingClientRect().right)).size`,
    )
    expect(aligned).toBe(1)
  })

  it('has one selection with the chat, and shows a span there', async () => {
    const { page, viewer, troubles } = await open()
    await row(viewer, 'src/gate/sluice.ts').click()
    await until('the address names the piece', async () => /view=timeline.*#seq-\d+$/.test(page.url()))
    await page.reload()
    await page.locator('.tl-row[aria-selected="true"]').waitFor()
    expect(await chosen(viewer)).toContain('src/gate/sluice.ts')
    await page.getByRole('button', { name: 'Show in chat' }).click()
    await page.locator('.mr-thread-scroll').waitFor()
    await until('the chat has drawn the piece', async () => (await page.locator('.chat .mr-tool').count()) > 0)
    expect(new URL(page.url()).searchParams.get('view') ?? 'none').toMatch(/none|timeline/)
    await page.getByRole('button', { name: 'Timeline', exact: true }).click()
    await until('the row is still chosen', async () => /sluice\.ts/.test(await chosen(viewer)))
    expect(troubles).toEqual([])
  })

  it('grows while the run goes on, and keeps what was written in the composer', async () => {
    const { page, evaluate, troubles } = await open()
    const wall = () =>
      evaluate<number>("Number(document.querySelector('.tl-edge[data-edge=to]').getAttribute('aria-valuenow'))")
    const before = await wall()
    await until('the bars have grown', async () => (await wall()) > before + 900)
    await page.keyboard.press('v')
    await page.getByRole('textbox', { name: 'Message' }).fill('And the wheel?')
    await page.getByRole('button', { name: 'Timeline', exact: true }).click()
    await page.locator('.tl-row').first().waitFor()
    await page.getByRole('button', { name: 'Chat', exact: true }).first().click()
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('And the wheel?')
    expect(troubles).toEqual([])
  })

  it('does all of it with the keyboard alone', async () => {
    const { page, viewer, evaluate, troubles } = await open()
    await page.locator('.mr-status').first().waitFor()
    await page.locator('.tl-rows').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(viewer)).toContain('Model call 1')
    expect(
      await evaluate<string>(
        "document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent",
      ),
    ).toContain('Model call 1')
    const count = () => page.locator('.tl-row').count()
    const before = await count()
    await page.keyboard.press('ArrowLeft')
    expect(await count()).toBe(before - 2)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await chosen(viewer)).toContain('Thought')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(viewer)).toContain('5 tools')
    await page.keyboard.press('ArrowRight')
    expect(await count()).toBe(before + 5)
    const shown = () => page.locator('.tl-over-window').textContent()
    const whole = await shown()
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    expect(await shown()).not.toBe(whole)
    await page.keyboard.press('0')
    await until('all of the time is shown again', async () => /^0:00\.0/.test((await shown()) ?? ''))
    await page.keyboard.press('c')
    expect(await page.locator('.tl-path').count()).toBe(0)
    await page.keyboard.press('End')
    expect(await chosen(viewer)).toContain('gatectl')
    await page.keyboard.press('Enter')
    await until('the chat is shown', () => page.locator('.mr-thread-scroll').isVisible())
    await page.keyboard.press('v')
    await page.locator('.tl-row').first().waitFor()
    await page.locator('.tl-edge').first().focus()
    await page.keyboard.press('ArrowRight')
    expect(await shown()).not.toMatch(/^0:00\.0/)
    expect(troubles).toEqual([])
  })

  it('zooms where the overview is dragged, and groups the spans by kind and by agent', async () => {
    const { page, troubles } = await open()
    const box = await page.locator('.tl-mini').boundingBox()
    if (box === null) throw new Error('The overview is not drawn.')
    await page.mouse.move(box.x + box.width * 0.3, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 12, { steps: 4 })
    await page.mouse.up()
    expect(await page.locator('.tl-over-window').textContent()).toMatch(/^0:4\d\.\d – 1:0\d\.\d$/)
    await page.locator('.tl-mini').dblclick({ position: { x: 5, y: 5 } })
    expect(await page.locator('.tl-over-window').textContent()).toMatch(/^0:00\.0/)
    await page.getByRole('button', { name: 'Kinds' }).click()
    expect(await page.locator('.tl-name b').allTextContents()).toContain('Model calls')
    await page.getByRole('button', { name: 'Agents' }).click()
    expect(await page.locator('.tl-name b').allTextContents()).toEqual(
      expect.arrayContaining(['Main agent', 'test-writer']),
    )
    expect(troubles).toEqual([])
  })

  it('fits each width without scrolling sideways, and breaks no rule of axe', async () => {
    const { page, viewer, troubles } = await open()
    await row(viewer, 'src/gate/sluice.ts').click()
    for (const [width, height, colorScheme] of [
      [1440, 900, 'dark'],
      [1024, 768, 'light'],
      [390, 844, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      expect(await overflows(viewer), `at ${width}`).toEqual([])
      expect(await brokenRules(page), `at ${width}`).toEqual([])
    }
    expect(await page.locator('.tl-side').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Close the details' }).click()
    expect(await page.locator('.tl-side').count()).toBe(0)
    await page.locator('.bottom-switch').getByRole('button', { name: 'Code' }).click()
    await page.locator('.pane-body').waitFor()
    await page.locator('.bottom-switch').getByRole('button', { name: 'Time' }).click()
    await page.locator('.tl-row').first().waitFor()
    expect(troubles).toEqual([])
  })

  it('says of an imported run that it has no times', async () => {
    const withoutTimes = () =>
      longRun(20)
        .slice(0, -1)
        .map(({ sentAt: _, ...event }) => event as StreamEvent)
    const { page, viewer, troubles } = await open(withoutTimes, false)
    await until('the page says so', async () =>
      /carry no times/.test((await page.locator('.tl-sum').textContent()) ?? ''),
    )
    expect(await page.locator('.tl').textContent()).not.toMatch(/0(?:\.0)?m?s/)
    expect(await page.locator('.tl-bar').count()).toBe(0)
    await row(viewer, 'src/0.ts').click()
    expect(await page.locator('.tl-side').textContent()).toContain('Entries')
    expect(await brokenRules(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('draws only the rows in view of a run of 10,000 spans', async () => {
    const { page, viewer, evaluate, troubles } = await open(() => longRun(5_000), false)
    await until('all spans are read', async () =>
      /10,000 spans/.test((await page.locator('.tl-total').textContent()) ?? ''),
    )
    expect(await page.locator('.tl-row').count()).toBeLessThan(120)
    expect(await page.locator('.tl-rows').getAttribute('aria-rowcount')).toBe('10002')
    await page.locator('.tl-rows').focus()
    await page.keyboard.press('End')
    expect(await chosen(viewer)).toContain('src/4999.ts')
    expect(await evaluate<number>("document.querySelectorAll('.tl *').length")).toBeLessThan(3_000)
    await page.getByRole('button', { name: 'Kinds' }).click()
    expect(await page.locator('.tl-row').count()).toBe(4)
    expect(await page.locator('.tl-bar').count()).toBeLessThan(3_000)
    expect(troubles).toEqual([])
  }, 60_000)
})
