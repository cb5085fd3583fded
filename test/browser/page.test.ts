import { request } from 'node:http'
import { demo } from '@millrace/server/run/demo'
import { expect, it } from 'vitest'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { lines, stepped } from './stepped.ts'
import { until } from './until.ts'
import { openViewer, type Viewer } from './viewer.ts'
import { builtWebApp } from './web-app.ts'

/** The element with the focus: its role or tag, and its text. */
const focused = ({ evaluate }: Viewer) =>
  evaluate<string>(`(() => {
    const { tagName, ariaLabel, className, textContent } = document.activeElement
    return tagName + ' ' + (ariaLabel ?? className) + ' ' + (textContent ?? '').slice(0, 60)
  })()`)

/** Ingests a recording and returns its thread. */
function ingest({ page }: Viewer, ...records: readonly object[]): Promise<string> {
  const body = [...records, lines.done].map((record) => JSON.stringify(record)).join('\n')
  return page.evaluate(async (text) => {
    const answer = await fetch('/api/ingest?format=agent-lines', { method: 'POST', body: text })
    return ((await answer.json()) as { readonly threadId: string }).threadId
  }, body)
}

describeInBrowser('the page', () => {
  const session = useSession(builtWebApp)

  async function open(options = {}): Promise<Viewer> {
    const mill = await session.startMill([demo({ speed: Number.POSITIVE_INFINITY })])
    const viewer = await openViewer(await session.openContext(options), mill.entrance)
    await viewer.page.getByRole('button', { name: 'Start the demo run' }).waitFor()
    return viewer
  }

  const goTo = ({ page }: Viewer, threadId: string, hash = '') =>
    page.goto(new URL(`/t/${threadId}${hash}`, page.url()).href)

  it('moves the focus to the next control after start, approve, stop and rename', async () => {
    const wheel = stepped('wheel', async function* () {
      yield lines.status('Turning')
      yield lines.text('Never reached')
    })
    const mill = await session.startMill([demo({ speed: 40 }), wheel.agent])
    wheel.playTo(1)
    const viewer = await openViewer(await session.openContext(), mill.entrance)
    const { page, approve } = viewer
    await page.getByRole('button', { name: 'Start the demo run' }).focus()
    await page.keyboard.press('Enter')
    await until('the composer has the focus', async () => (await focused(viewer)).startsWith('TEXTAREA'))

    await approve.waitFor()
    await page.locator('.mr-asking').focus()
    await page.keyboard.press('a')
    await page.locator('.mr-asking').waitFor({ state: 'detached' })
    expect(await focused(viewer)).toMatch(/^BUTTON mr-head .*write_file/)
    await mill.ended(await viewer.threadId())

    await page.goto(new URL('/', page.url()).href)
    await page.getByRole('radio', { name: /wheel/ }).check()
    await viewer.say('Turn')
    await viewer.threadId()
    await page.getByText('Turning').waitFor()
    await page.locator('.mr-composer').getByRole('button', { name: 'Stop' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Stopped').first().waitFor()
    await until('the composer has the focus again', async () => (await focused(viewer)).startsWith('TEXTAREA'))

    await page.locator('.title-button').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('Another name')
    await page.keyboard.press('Enter')
    expect(await focused(viewer)).toBe('BUTTON title-button mr-cut Another name')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    expect(await focused(viewer)).toBe('BUTTON title-button mr-cut Another name')
  })

  it('announces nothing when a thread is opened', async () => {
    const viewer = await open()
    const threadId = await ingest(
      viewer,
      lines.thinking('Hm'),
      lines.call('c', 'Bash'),
      lines.result('c', 'x'),
      lines.text('A'),
    )
    await goTo(viewer, threadId)
    await viewer.page.locator('.mr-prose').waitFor()
    await until('the thread is loaded', () => viewer.page.getByText('Finished').first().isVisible())
    expect(await viewer.page.locator('.mr-thread [role=status]').textContent()).toBe('')
  })

  it('brings an entry into view without moving anything but the thread', async () => {
    const viewer = await open()
    for (let index = 0; index < 40; index++) await ingest(viewer, lines.text(`Thread ${index}`))
    const steps = Array.from({ length: 60 }, (_, index) => [
      lines.call(`c${index}`, 'Read'),
      lines.result(`c${index}`, 'x'),
      lines.text(`Step ${index}. ${'words '.repeat(40)}`),
    ]).flat()
    const threadId = await ingest(viewer, ...steps)
    const last = `fetch('/api/threads/${threadId}').then((answer) => answer.json()).then(({ runs }) => runs[0].seq)`
    const seq = await viewer.evaluate<number>(last)
    const origin = viewer.page.url()
    for (const wanted of [seq, Math.floor(seq / 2), 5]) {
      await viewer.page.goto('about:blank')
      await viewer.page.goto(new URL(`/t/${threadId}#seq-${wanted}`, origin).href)
      await viewer.page.locator('.mr-linked').waitFor()
      const moved =
        'document.documentElement.scrollTop + document.body.scrollTop + Math.abs(document.querySelector(".bar").getBoundingClientRect().top)'
      expect(await viewer.evaluate<number>(moved)).toBe(0)
      expect(await viewer.evaluate<boolean>('document.documentElement.scrollHeight <= innerHeight')).toBe(true)
      const isSeen =
        '(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector(".mr-linked").getBoundingClientRect())'
      expect(await viewer.evaluate<boolean>(isSeen), `entry ${wanted} is in view`).toBe(true)
    }
  })

  it('reaches every thread from the rail, by wheel and by keyboard', async () => {
    const viewer = await open()
    const { page } = viewer
    const oldest = await ingest(viewer, lines.text('The oldest one'))
    for (let index = 0; index < 130; index++) await ingest(viewer, lines.text(`Thread ${index}`))
    await page.reload()
    const row = page.locator(`.rail a[href="/t/${oldest}"]`)
    await until('the rail has its first page', async () => (await page.locator('.mr-thread-row').count()) >= 60)
    expect(await row.count()).toBe(0)
    const older = page.getByRole('button', { name: 'Older threads' })
    await older.focus()
    await page.keyboard.press('Enter')
    await until('the focus is on a thread that has come', async () =>
      (await focused(viewer)).startsWith('A mr-thread-row'),
    )
    await until('the end is reached', async () => {
      await viewer.evaluate(`document.querySelector('.mr-thread-list').scrollTo({ top: 1e6 })`)
      return (await row.count()) === 1
    })
    expect(await older.count()).toBe(0)
  })

  it('draws hostile text without losing the rest, and requests no picture from another server', async () => {
    const viewer = await open()
    const hostile = `One.\n\n${'>'.repeat(3_000)} deep\n\n![A wheel](https://pictures.example/wheel.png)\n\n**Two**.`
    await goTo(viewer, await ingest(viewer, lines.text(hostile)))
    const { page } = viewer
    await page.locator('strong').getByText('Two').waitFor()
    expect(await page.locator('.mr-plain').count()).toBe(1)
    const picture = page.getByRole('link', { name: 'A wheel pictures.example' })
    expect(await picture.getAttribute('rel')).toBe('noreferrer noopener')
    expect(viewer.troubles).toEqual([])
  })

  it('shows at once that the producer is gone, on the open page and in the rail', async () => {
    const mill = await session.startMill([demo()])
    const viewer = await openViewer(await session.openContext(), mill.entrance)
    const { page } = viewer
    const token = new URL(mill.entrance).searchParams.get('token') ?? ''
    const producer = request(`${mill.url}/api/ingest?format=agent-lines`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    producer.on('error', () => undefined)
    producer.write(`${JSON.stringify(lines.text('Counting'))}\n`)
    await page.locator('.mr-thread-row').click()
    await page.getByText('Streaming').waitFor()
    producer.destroy()
    await page.getByText(/^Waiting for its producer, for \d+ s more$/).waitFor()
    expect(await page.locator('.bar .badge-waiting').textContent()).toBe('Waiting for its producer')
    await page.locator('.mr-thread-row .mr-state-waiting').waitFor()
    expect(viewer.troubles).toEqual([])
  })

  it('shows records that were not understood as inert text, and explains an empty page', async () => {
    const viewer = await open()
    const { page } = viewer
    const body = '{"kind":"unheard","note":"<img src=x onerror=alert(1)>"}\n{"kind":"of"}'
    const threadId = await page.evaluate(async (text) => {
      const answer = await fetch('/api/ingest?format=claude-agent-sdk', { method: 'POST', body: text })
      return ((await answer.json()) as { readonly threadId: string }).threadId
    }, body)
    await goTo(viewer, threadId)
    await page.getByRole('heading', { name: 'Nothing of this run was understood' }).waitFor()
    await page.getByRole('button', { name: '2 records were not understood and are kept' }).click()
    const lines = body.split('\n')
    const record = page.locator('.pair-record')
    await until('the first record is shown', async () => (await record.textContent()) === lines[0])
    await page.getByRole('button', { name: 'Next piece' }).click()
    await until('the second record is shown', async () => (await record.textContent()) === lines[1])
    expect(await page.locator('.accounted').textContent()).toBe('1 not understood')
    expect(viewer.troubles).toEqual([])
  })

  it('verifies a run only on request, and shows what was compared', async () => {
    const viewer = await open()
    const { page } = viewer
    const asked: string[] = []
    page.on('request', (sent) => sent.url().endsWith('/verify') && asked.push(sent.url()))
    await goTo(viewer, await ingest(viewer, lines.text('A run')))
    await page.getByRole('button', { name: 'Verify' }).waitFor()
    expect(asked).toEqual([])
    await viewer.verify('Stored = delivered')
    expect(asked).toHaveLength(1)
    await page.getByRole('button', { name: 'Stored = delivered' }).click()
    const sheet = page.getByRole('dialog', { name: 'Verification' })
    expect(await sheet.textContent()).toMatch(
      /What this page folded while it streamed the runNot compared.*[0-9a-f]{64}/,
    )
  })

  it('signs out: nothing of a thread remains on the page, and no request is sent any more', async () => {
    const viewer = await open()
    const { page } = viewer
    const asked: string[] = []
    await page.route('**/api/sign-out', (route) => {
      asked.push(`${route.request().method()} ${route.request().headers()['content-type']}`)
      return route.fulfill({ status: 204 })
    })
    await page.getByRole('button', { name: 'Sign out of this browser' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    expect(asked).toEqual(['POST application/json'])
    expect(await focused(viewer)).toContain('You are signed out')
    expect(await page.locator('.rail').count()).toBe(0)
    page.on('request', (sent) => asked.push(sent.url()))
    await page.waitForTimeout(3_500)
    expect(asked).toHaveLength(1)
  })
})
