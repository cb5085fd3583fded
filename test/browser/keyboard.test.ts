import { demo } from '@millrace/server/run/demo'
import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import { feed, post } from './feed.ts'
import { command, focusedPiece, focusText, tabTo } from './keyboard.ts'
import type { Mill } from './mill.ts'
import { useSession } from './session.ts'
import { lines, stepped } from './stepped.ts'
import { until } from './until.ts'
import { openViewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

const FAST = 40
const MANY = 70

describeInBrowser('the keyboard alone', () => {
  const session = useSession(builtWebApp)

  async function open(mill: Mill, path = '/') {
    const context = await session.openContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const viewer = await openViewer(context, mill.entrance)
    if (path !== '/') await viewer.page.goto(`${mill.url}${path}`)
    return viewer
  }

  it('goes the whole way: agent, question, approval, pieces, search, palette, rename, delete', async () => {
    const other = stepped('other', async function* () {
      yield lines.text('Never asked.')
    })
    const mill = await session.startMill([other.agent, demo({ speed: FAST })])
    await feed(mill, 'dropped-stream', { title: 'Dropped stream' })
    const { page, approve, html, troubles } = await open(mill)

    // The agent, and the message.
    const chosen = async () => (await page.locator('.agent:has(:checked)').textContent()) ?? ''
    await tabTo(page, '.agent input')
    for (let count = 0; !(await chosen()).includes('Demo') && count < 3; count++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('m')
    await page.keyboard.type('How is the wheel?')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/t\//)
    const threadId = new URL(page.url()).pathname.split('/')[2] ?? ''

    // The question: a letter in the composer is text, on the question an answer.
    await approve.waitFor()
    await page.keyboard.type('a')
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('a')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await page.keyboard.press('q')
    expect(await page.locator('.mr-asking:focus').count()).toBe(1)
    await page.keyboard.press('a')
    await approve.waitFor({ state: 'detached' })
    expect(await focusedPiece(page), 'the focus after an answer').toBeDefined()
    await mill.ended(threadId)

    // Pieces: from the one that has the focus to the first, and each in turn.
    for (let count = 0; count < 40; count++) await page.keyboard.press('k')
    const first = await focusedPiece(page)
    expect(await focusText(page)).toContain('How is the wheel?')
    await page.keyboard.press('j')
    expect(await focusedPiece(page)).not.toBe(first)
    while ((await page.locator('.mr-card > button:focus').count()) === 0) await page.keyboard.press('j')
    const expanded = () => page.locator(':focus').getAttribute('aria-expanded')
    const before = await expanded()
    await page.keyboard.press('Enter')
    expect(await expanded()).toBe(before === 'true' ? 'false' : 'true')
    await page.keyboard.press('Enter')
    expect(await expanded()).toBe(before)
    await page.keyboard.press('y')
    const piece = (await focusedPiece(page))?.split('-')[0]
    await page.getByText(`Link to entry ${piece} copied`).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(new RegExp(`/t/${threadId}.*#seq-${piece}$`))
    await page.keyboard.press('End')
    expect(await html()).toContain('The wheel can turn again by spring')

    // The search, and a jump into another thread.
    await command(page, 'all runs', /^All runs/)
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('/')
    await until('the texts are in the index', async () => {
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('proxy_read_timeout')
      await page.waitForTimeout(500)
      return (await page.getByRole('option').count()) > 0
    })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/t\/.*#seq-\d+$/)
    await page.locator('.mr-linked').first().waitFor()

    // Back to the first thread by the palette, another title, and away with it.
    await command(page, 'how wheel', /How is the wheel/)
    await page.waitForURL(new RegExp(`/t/${threadId}`))
    await command(page, 'rename', /^Rename the thread/)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('The mill')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The mill' }).waitFor()
    expect(await focusText(page), 'the focus after a rename').toBe('The mill')
    await until('the log has the title', async () => (await mill.log.thread(threadId))?.title === 'The mill')
    await command(page, 'delete', /^Delete the thread/)
    await page.getByRole('dialog', { name: 'Delete “The mill”?' }).waitFor()
    await tabTo(page, '.dialog [type=submit]')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Bring any agent’s stream' }).waitFor()
    expect(await page.locator('#main :focus').count(), 'the focus after a deletion').toBe(1)
    await until('it is gone', async () => (await mill.log.thread(threadId)) === undefined)
    expect(troubles).toEqual([])
  })

  it('Escape leaves the composer, and a second one stops the run; the focus is never lost', async () => {
    const endless = stepped('endless', async function* () {
      yield lines.text('It goes on.')
      yield lines.text(' And on.')
      yield lines.done
    })
    const mill = await session.startMill([endless.agent])
    const { page, say, threadId } = await open(mill)
    endless.playTo(1)
    await page.locator('.agent input:checked').waitFor()
    await say('Go')
    const id = await threadId()
    await page.getByText('It goes on.').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await page.keyboard.type('kept')
    await page.keyboard.press('Escape')
    expect(await page.locator('.mr-thread-scroll:focus').count()).toBe(1)
    await page.waitForTimeout(1_000)
    await page.keyboard.press('Escape')
    expect((await mill.log.runs(id)).at(-1)?.state).toBe('live')
    await page.keyboard.press('Escape')
    expect((await mill.ended(id)).outcome).toBe('cancelled')
    await until('the page says so', async () => (await page.locator('.badge-stopped').count()) === 1)
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('kept')
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true)
  })

  it('moves by piece and by turn through a thread of which little is in the page', async () => {
    const mill = await session.startMill([])
    const records = Array.from({ length: 400 }, (_, index) => [
      { type: 'tool_use', data: { id: `c${index}`, name: 'Read', input: { path: `part-${index}.txt` } } },
      { type: 'tool_result', data: { tool_use_id: `c${index}`, content: `part ${index}` } },
      { type: 'text', data: { content: `Part ${index} is read.\n\n` } },
    ])
    const body = records.flat().map((record) => JSON.stringify(record))
    const { threadId } = await post(mill, { format: 'agent-lines', title: 'Long' }, body.join('\n'))
    const { page, troubles } = await open(mill, `/t/${threadId}`)
    await page.getByText('Part 399 is read.').waitFor()
    await page.locator('.mr-thread-scroll').focus()
    const seen = new Set<string>()
    for (let count = 0; count < 60; count++) {
      await page.keyboard.press('k')
      seen.add((await focusedPiece(page)) ?? '')
    }
    expect(seen.size).toBe(60)
    const frame = await page.locator('.mr-thread-scroll').boundingBox()
    const box = await page.locator(':focus').boundingBox()
    expect(box !== null && frame !== null && box.y >= frame.y - 1 && box.y < frame.y + frame.height).toBe(true)
    expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(3_000)
    await page.keyboard.press('[')
    expect(await page.getByText('Part 0 is read.').count()).toBe(1)
    await page.keyboard.press('End')
    await page.getByText('Part 399 is read.').waitFor()
    expect(troubles).toEqual([])
  })

  it('finds every thread in the palette, and gives the focus back when it is closed', async () => {
    const mill = await session.startMill([])
    for (let number = 1; number <= MANY; number++) {
      await post(mill, { format: 'agent-lines', title: `Check ${number}` }, JSON.stringify(lines.text('The wheel.')))
    }
    const { page } = await open(mill)
    await page.getByRole('link', { name: 'Runs' }).focus()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command or thread' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await focusText(page)).toBe('Runs')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Command or thread' }).waitFor()
    await page.keyboard.press('Control+k')
    expect(await page.getByRole('dialog').count()).toBe(0)
    // The oldest is on no page that was loaded.
    await command(page, 'check 1', /^Check 1$/)
    await page.getByRole('heading', { name: 'Check 1', exact: true }).waitFor()
  })
})
