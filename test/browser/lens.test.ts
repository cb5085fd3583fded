import { readFileSync } from 'node:fs'
import { parsers } from '@millrace/core/parse'
import { eventsOf } from '@millrace/testkit/read-recording'
import { recordingOf } from '@millrace/testkit/recordings'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { lensAgent, RESULT } from './lens-story.ts'
import { useSession } from './session.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const overflows = ({ evaluate }: Viewer) =>
  evaluate<string[]>(
    `[...document.querySelectorAll('html, body, .app, .work, .panes, .lens, .crumbs, .chain, .trace, .lens-foot')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className || box.tagName)`,
  )

describeInBrowser('the lens', () => {
  const session = useSession(builtWebApp)

  /** The run has come to the result of its edit, and waits. */
  async function open(options: Parameters<typeof session.openContext>[0] = {}) {
    const { agent, goOn } = lensAgent()
    const mill = await session.startMill([agent])
    const context = await session.openContext({ viewport: { width: 1440, height: 900 }, ...options })
    const viewer = await openViewer(context, mill.entrance)
    await viewer.say('The gate opens too late.')
    const edit = viewer.page.locator('.chat .mr-tool', { hasText: 'Edit' })
    await edit.locator('.mr-added').first().waitFor()
    return { ...viewer, viewer, mill, context, edit, goOn }
  }

  async function openLens({ page, edit }: Awaited<ReturnType<typeof open>>): Promise<void> {
    await edit.locator('.mr-head').hover()
    await page.getByRole('button', { name: 'Where this came from' }).click()
    await page.locator('.trace-pair').waitFor()
  }

  const numberOf = (words: string | null) => Number(/\d+/.exec(words ?? '')?.[0])

  it('S0-130: leads from a piece to its records, with the same bytes marked on both sides', async () => {
    const opened = await open()
    const { page, viewer, troubles } = opened
    await openLens(opened)
    expect(await page.locator('.crumbs').textContent()).toMatch(/Turn 1.*Step \d.*Edit.*all accounted for/)
    const [records, events] = await page.locator('.station').allTextContents()
    expect(numberOf(records ?? '')).toBeGreaterThan(30)
    expect(numberOf(events ?? '')).toBe(numberOf(records ?? ''))
    await until('both sides are marked', async () => (await page.locator('.trace-pair mark').count()) >= 2)
    expect((await page.locator('.pair-record mark').allTextContents()).join('')).toBe(RESULT)
    expect((await page.locator('.pair-event mark').allTextContents()).join('')).toBe(RESULT)
    expect(await page.locator('.chat [data-linked="selected"]').textContent()).toContain('sluice.ts')
    // The start that lines share is cut.
    const delta = page.locator('.trace-row', { hasText: 'tool-input-delta' }).first()
    expect(await delta.textContent()).toMatch(/^\d+…"\{/)
    const fold = page.locator('.trace-fold', { hasText: 'more deltas' })
    const hidden = numberOf(await fold.textContent())
    const before = await page.locator('.trace-row').count()
    await fold.click()
    expect(await page.locator('.trace-row').count()).toBe(before + hidden)
    expect(await overflows(viewer)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('shows when an entry was logged, received and painted, and only what was measured', async () => {
    const opened = await open()
    const { page, mill, goOn, troubles } = opened
    await openLens(opened)
    const hops = page.locator('.hop b')
    await until('the frame was noted', async () => (await hops.count()) === 3)
    expect(await hops.allTextContents()).toEqual(['durable', 'received', 'painted'])
    goOn()
    const threadId = await opened.viewer.threadId()
    await mill.ended(threadId)
    await page.goto(`${mill.url}/t/${threadId}?pane=lens`)
    await page.locator('.trace-pair').waitFor()
    expect(await hops.allTextContents()).toEqual(['durable'])
    expect(troubles).toEqual([])
  })

  it('has the chunks of each wire, and what a wire has no field for', async () => {
    const opened = await open()
    const { page, troubles } = opened
    await openLens(opened)
    await page.getByRole('tab', { name: /wires/ }).click()
    const cards = page.locator('.lens-wires .wire')
    expect(await cards.count()).toBe(6)
    expect(await page.locator('#station-wires').textContent()).toContain('4 whole, 2 lossy')
    const agentEvent = cards.filter({ hasText: 'Agent event' })
    expect(await agentEvent.locator('.sent-loss').textContent()).toMatch(/^Tool inputs as they are written.*no field/)
    expect(await agentEvent.locator('.chunk').count()).toBe(2)
    await cards.filter({ hasText: 'AG-UI' }).locator('.mr-head').click()
    const first = cards.filter({ hasText: 'AG-UI' }).locator('.chunk').first()
    expect(await first.textContent()).toContain('TOOL_CALL_START')
    await page.getByRole('tab', { name: /segment/ }).click()
    await page.locator('.json-row', { hasText: 'toolu_edit' }).waitFor()
    const rows = await page.locator('.json-row').count()
    await page.getByRole('button', { name: 'input' }).click()
    expect(await page.locator('.json-row').count()).toBeLessThan(rows)
    expect(troubles).toEqual([])
  })

  it('has the pair in its link, and saves records that can be read again', async () => {
    const opened = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    const { page, evaluate, troubles } = opened
    await openLens(opened)
    await page.locator('.trace-row', { hasText: 'tool-start' }).first().click()
    await until('the pair is open', async () =>
      ((await page.locator('.trace-current').textContent()) ?? '').includes('tool-start'),
    )
    await page.getByRole('button', { name: 'Copy link', exact: true }).click()
    await page.locator('.lens-acts [role=status]', { hasText: 'Link copied' }).waitFor({ state: 'attached' })
    const link = await evaluate<string>('navigator.clipboard.readText()')
    expect(link).toMatch(/\?pane=lens&entry=(\d+)#seq-\1$/)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as fixture' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^claude-agent-sdk-.*\.jsonl$/)
    const bytes = readFileSync((await download.path()) ?? '')
    const { records } = recordingOf('saved', bytes, 'json-lines')
    const outputs = eventsOf(parsers['claude-agent-sdk'], records).filter(({ type }) => type === 'tool-output')
    expect(outputs).toMatchObject([{ callId: 'toolu_edit', output: RESULT }])
    await page.goto('about:blank')
    await page.goto(link)
    await page.locator('.trace-current', { hasText: 'tool-start' }).waitFor()
    expect(await page.locator('.crumbs b').textContent()).toBe('Edit')
    expect(troubles).toEqual([])
  })

  it('S0-25: opens from the line of what was not understood, which is inert', async () => {
    const opened = await open()
    const { page, goOn, mill, viewer, troubles } = opened
    goOn()
    await mill.ended(await viewer.threadId())
    await page.getByRole('button', { name: /1 record was not understood/ }).click()
    await until('the record is shown', async () =>
      ((await page.locator('.pair-record').textContent()) ?? '').includes('<img src=x'),
    )
    expect(await page.locator('.accounted').textContent()).toBe('1 not understood')
    expect(await page.locator('#station-segment').textContent()).toContain('drawn nowhere')
    expect(await page.locator('.lens img').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  it('is where every piece of the chat leads, with at least one record', async () => {
    const { page, mill, troubles } = await open()
    const body = readFileSync(new URL('../../fixtures/claude-agent-sdk/scenario.jsonl', import.meta.url), 'utf8')
    const threadId = await page.evaluate(async (text) => {
      const answer = await fetch('/api/ingest?format=claude-agent-sdk', { method: 'POST', body: text })
      return ((await answer.json()) as { readonly threadId: string }).threadId
    }, body)
    await page.goto(`${mill.url}/t/${threadId}`)
    const pieces = page.locator('.mr-thread-scroll [data-seqs]')
    await pieces.first().waitFor()
    const count = await pieces.count()
    expect(count).toBeGreaterThan(6)
    for (let index = 0; index < count; index++) {
      const piece = pieces.nth(index)
      await piece.scrollIntoViewIfNeeded()
      await piece.hover({ position: { x: 6, y: 6 } })
      await page.getByRole('button', { name: 'Where this came from' }).click()
      const records = page.locator('#station-records b')
      await until(`piece ${index} has records`, async () => numberOf(await records.textContent()) > 0)
      await page.locator('.trace-pair').waitFor()
    }
    expect(troubles).toEqual([])
  })

  it('does all of it with the keyboard alone, without violations', async () => {
    const opened = await open()
    const { page, edit, evaluate, troubles } = opened
    await edit.locator('.mr-head').focus()
    await page.keyboard.press('o')
    await page.locator('.trace-pair').waitFor()
    expect(await page.locator('.crumbs b').textContent()).toBe('Edit')
    await page.locator('.trace-current').focus()
    const entry = async () => numberOf(await page.locator('.trace-current .trace-seq').textContent())
    const last = await entry()
    await page.keyboard.press('ArrowUp')
    await until('the pair before it is open', async () => (await entry()) < last)
    await until('it has the focus', async () =>
      evaluate<boolean>("document.activeElement?.classList.contains('trace-current') ?? false"),
    )
    await page.locator('#station-events').focus()
    for (const station of ['segment', 'wires', 'records']) {
      await page.keyboard.press('ArrowRight')
      expect(await page.locator('.station[aria-selected="true"]').getAttribute('id')).toBe(`station-${station}`)
      expect(await brokenRules(page)).toEqual([])
    }
    await page.keyboard.press('Shift+ArrowLeft')
    await until('the piece before it is shown', async () => (await page.locator('.crumbs b').textContent()) === 'Text')
    expect(troubles).toEqual([])
  })

  it('shows on a narrow screen one side at a time', async () => {
    const opened = await open({ viewport: { width: 390, height: 844 } })
    const { page, viewer, troubles } = opened
    await openLens(opened)
    expect(await page.locator('.pair-event').isVisible()).toBe(true)
    expect(await page.locator('.pair-record').isVisible()).toBe(false)
    await page.getByRole('tab', { name: /records/ }).click()
    expect(await page.locator('.pair-record').isVisible()).toBe(true)
    expect(await page.locator('.pair-event').isVisible()).toBe(false)
    expect(await overflows(viewer)).toEqual([])
    await page.locator('.bottom-switch').getByRole('button', { name: 'Chat' }).click()
    await until('the chat is back', () => page.locator('.chat').isVisible())
    expect(troubles).toEqual([])
  })
})
