import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'
import { storyAgent } from './work-story.ts'

/** Boxes that are wider than what they show. */
const overflows = ({ evaluate }: Viewer) =>
  evaluate<
    string[]
  >(`[...document.querySelectorAll('html, body, .app, .work, .chat, .panes, .mr-thread-scroll, .editor-head, .pane-foot')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className || box.tagName)`)

const linked = ({ evaluate }: Viewer, kind: 'selected' | 'hovered') =>
  evaluate<string | undefined>(
    `document.querySelector('.chat [data-linked="${kind}"] .mr-head')?.textContent ?? undefined`,
  )

const LAST_COMMAND = 'npm run watch'

describeInBrowser('the workbench', () => {
  const session = useSession(builtWebApp)

  /** The story, up to the command that still runs, and the page of its thread. */
  async function open(query: string, options: Parameters<typeof session.openContext>[0] = {}) {
    const { agent, end } = storyAgent()
    const mill = await session.startMill([agent])
    const context = await session.openContext({ viewport: { width: 1440, height: 900 }, ...options })
    const viewer = await openViewer(context, mill.entrance)
    await viewer.say('The gate opens too late.')
    const threadId = await viewer.threadId()
    await viewer.page.getByText(LAST_COMMAND).first().waitFor()
    await viewer.page.goto(`${mill.url}/t/${threadId}?${query}`)
    await viewer.page.getByText(LAST_COMMAND).first().waitFor()
    return { ...viewer, viewer, mill, threadId, end }
  }

  async function ended(mill: Mill, threadId: string, end: () => void): Promise<void> {
    end()
    await mill.ended(threadId)
  }

  it('links an edit in the chat with its lines in the code, both ways', async () => {
    const { viewer, page, evaluate, troubles } = await open('pane=code')
    await page.locator('.line-added').first().waitFor()
    // Following stands at the newest step.
    expect(await page.locator('.line-current').allTextContents()).toEqual([
      expect.stringContaining('export const BEAT'),
    ])
    await page.getByText('Edited 3 files').click()
    await page.locator('.mr-members .mr-head').first().click()
    await until('the lines of the step are barred', async () => (await page.locator('.line-current').count()) === 9)
    expect(await linked(viewer, 'selected')).toContain('Edit')
    expect(await page.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed')).toBe('false')
    const edge = await evaluate<string[]>(`[
      getComputedStyle(document.querySelector('.line-current .line-edge')).backgroundColor,
      getComputedStyle(document.querySelector('[data-linked=selected] > .mr-card')).borderTopColor,
    ]`)
    expect(edge[0]).toBe(edge[1])
    expect(await page.locator('.line-current .line-step b').allTextContents()).toEqual(['step 3', 'step 3'])
    await until('the address names the piece', async () => /pane=code.*#seq-\d+$/.test(page.url()))

    await page.locator('.leaf', { hasText: 'level.ts' }).hover()
    await until('the edit of the file is marked', async () => /level\.ts/.test((await linked(viewer, 'hovered')) ?? ''))
    await page.locator('.mr-members .mr-head', { hasText: 'level.ts' }).hover()
    expect(await page.locator('.leaf-hovered').allTextContents()).toEqual([expect.stringContaining('level.ts')])
    await page.locator('.leaf', { hasText: 'sluice.test.ts' }).click()
    await page.locator('.editor-path', { hasText: 'test/sluice.test.ts' }).waitFor()
    expect(await page.locator('.pane-foot').textContent()).toContain('of test-writer in step 2')
    expect(troubles).toEqual([])
  })

  it('shows a piece in the chat, which scrolls only if the piece is out of view', async () => {
    const { page, viewer, troubles } = await open('pane=code', { viewport: { width: 1440, height: 500 } })
    const scrolled = () => viewer.evaluate<number>("document.querySelector('.mr-thread-scroll').scrollTop")
    await page.locator('.line-added').first().waitFor()
    await until('the chat is at its end', async () => (await scrolled()) > 0)
    const end = await scrolled()
    await page.locator('.leaf', { hasText: 'report.html' }).click()
    expect(await scrolled()).toBe(end)
    await page.getByRole('button', { name: 'Show in chat' }).click()
    await until('the chat has scrolled to the piece', async () => (await scrolled()) < end)
    await until('the piece is marked', async () => (await linked(viewer, 'selected')) !== undefined)
    await page.waitForTimeout(400)
    const there = await scrolled()
    await page.getByRole('button', { name: 'Show in chat' }).click()
    await page.waitForTimeout(400)
    expect(await scrolled()).toBe(there)
    expect(troubles).toEqual([])
  })

  it('shows every command with what it wrote, folded when it is done, inert, and linked both ways', async () => {
    const { page, viewer, evaluate, troubles } = await open('pane=terminal')
    await page.locator('.command').first().waitFor()
    const heads = await page.locator('.command-head code').allTextContents()
    expect(heads).toEqual([
      'rg -n "opensAt" src',
      'levels = [float(each) for each in open("levels.csv")] …',
      'npx tsc --noEmit',
      'npm test -- sluice',
      'npm test -- --reporter=verbose',
      'npm run watch -- --level',
    ])
    const suite = page.locator('.command', { hasText: '--reporter=verbose' })
    expect((await suite.locator('pre').textContent())?.split('\n')).toHaveLength(12)
    await suite.getByRole('button', { name: /^Show/ }).click()
    expect((await suite.locator('pre').textContent())?.split('\n')).toHaveLength(21)
    const failed = page.locator('.command', { hasText: 'npm test -- sluice' })
    expect(await failed.locator('.mr-badge').allTextContents()).toEqual(['exit 1'])
    expect(await page.locator('.command', { hasText: 'tsc' }).locator('.mr-badge').textContent()).toBe('test-writer')
    expect(await page.locator('.command').last().textContent()).toContain('65 %')
    expect(await page.locator('.terminal-foot').textContent()).toMatch(/^6 commands1 failed3[0-9]s of tool time/)
    // A command that follows is the end of the terminal.
    expect(
      await evaluate<boolean>(`(() => {
      const box = document.querySelector('.terminal')
      return box.scrollHeight - box.scrollTop - box.clientHeight < 2
    })()`),
    ).toBe(true)
    await failed.locator('.command-head').click()
    await until('the piece of the chat is marked', async () =>
      /npm test -- sluice/.test((await linked(viewer, 'selected')) ?? ''),
    )
    expect(await page.locator('.command-linked').count()).toBe(1)
    await page.locator('.chat .mr-tool', { hasText: 'npm run watch' }).locator('.mr-head').hover()
    expect(await page.locator('.command-hovered').textContent()).toContain('npm run watch')
    expect(troubles).toEqual([])
  })

  it('does all of it with the keyboard alone', async () => {
    const { page, viewer, evaluate, troubles } = await open('')
    await page.locator('.mr-processing, .mr-tool').first().waitFor()
    await page.locator('.mr-thread-scroll').focus()
    const pressed = async (name: string) => page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')
    await page.keyboard.press('1')
    await page.locator('.line-added').first().waitFor()
    await page.keyboard.press('d')
    expect(await pressed('Code')).toBe('true')
    await page.keyboard.press('d')
    expect(await pressed('Diff')).toBe('true')
    await page.keyboard.press('Shift+ArrowLeft')
    expect(await pressed('Follow')).toBe('false')
    await page.keyboard.press('f')
    expect(await pressed('Follow')).toBe('true')
    await page.keyboard.press('F6')
    await page.keyboard.press('F6')
    expect(await evaluate<string>("document.activeElement?.getAttribute('role') ?? ''")).toBe('tab')
    await page.locator('.leaf').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await until('the file of the second row is shown', async () =>
      /level\.ts/.test((await page.locator('.editor-path').textContent()) ?? ''),
    )
    // Writing is not a command.
    await page.getByRole('textbox', { name: 'Message' }).fill('')
    await page.keyboard.type('d1f')
    expect(await pressed('Diff')).toBe('true')
    await page.keyboard.press('Control+j')
    await until('the panes are closed', async () => (await page.locator('.panes').count()) === 0)
    expect(viewer.troubles).toEqual([])
    expect(troubles).toEqual([])
  })

  it('fits each width without scrolling sideways, in panes, pickers and the bottom switch', async () => {
    const { page, viewer, mill, threadId, end, troubles } = await open('pane=code')
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [720, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.locator('.line-added').first().waitFor()
      expect(await overflows(viewer), `at ${width}`).toEqual([])
    }
    expect(await page.locator('.chat').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Show in chat' }).click()
    await until('the chat has taken the place of the pane', () => page.locator('.chat').isVisible())
    await page.locator('.bottom-switch').getByRole('button', { name: 'Code' }).click()
    await page.locator('.line-added').first().waitFor()
    await ended(mill, threadId, end)
    expect(troubles).toEqual([])
  })
})
