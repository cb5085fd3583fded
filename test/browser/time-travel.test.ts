import type { BrowserContextOptions } from 'playwright-core'
import { expect, it } from 'vitest'
import { brokenRules } from './axe.ts'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { clickAt, entryOf, LAST_COMMAND, openTravelled, texts } from './travelled-page.ts'
import { until } from './until.ts'
import { builtWebApp } from './web-app.ts'

describeInBrowser('time travel', () => {
  const session = useSession(builtWebApp)

  const open = (...story: readonly [query?: string, options?: BrowserContextOptions]) =>
    openTravelled(session, ...story)

  it('shows a moment of a live run in the chat, every pane and the header, and counts what lies ahead', async () => {
    const { page, viewer, end, troubles } = await open()
    expect(await page.locator('.live-pill').textContent()).toBe('Live')
    const [stepsNow, filesNow] = [await texts(viewer, '.steps-at'), (await texts(viewer, '.leaf .mr-cut')).length]
    await clickAt(viewer, 0.2)
    await page.locator('.badge-past').waitFor()
    const seq = await entryOf(viewer)
    expect(await page.locator('.badge-past').textContent()).toBe(`Past #${seq}`)
    await until('the chat is that of the moment', async () => !(await page.getByText(LAST_COMMAND).count()))
    // Live it took more than a minute.
    expect((await texts(viewer, '.meter'))[0]).toMatch(/^\d+(\.\d)?s$/)
    expect(await page.locator('.chat .horizon').textContent()).toMatch(/^0:\d\d\.\d · \d+ entries later, 1 failure$/)
    expect(await page.locator('.composer, .mr-composer').count()).toBe(0)
    expect(await page.locator('.past-bar').textContent()).toContain('A branch begins before the first turn.')
    // The panes, their steps and their counts are of the same moment.
    expect((await texts(viewer, '.steps-at'))[0]).not.toBe(stepsNow[0])
    expect(await page.locator('.tick-later').count()).toBeGreaterThan(3)
    expect((await texts(viewer, '.leaf:not(.leaf-later) .mr-cut')).length).toBeLessThan(filesNow)
    expect(await texts(viewer, '.leaf-later .mr-cut')).toContain('level.ts')
    await page.keyboard.press('2')
    await page.locator('.terminal-horizon').waitFor()
    expect(await page.locator('.terminal-horizon').textContent()).toMatch(/^\d commands later$/)
    await until('the address names the moment', async () => new RegExp(`at=${seq}$`).test(page.url()))
    expect(await page.locator('.live-pill').textContent()).toMatch(/^Back to live\d+ ahead/)
    // What is drawn of the future is pale, and only in the dock.
    const [past, ahead] = await viewer.evaluate<string[]>(
      `['past', 'ahead'].map((side) => getComputedStyle(document.querySelector('.scrub-' + side + ' .density')).fill)`,
    )
    expect(past).not.toBe(ahead)
    await page.locator('.live-pill').click()
    await page.getByText(LAST_COMMAND).first().waitFor()
    expect(await page.locator('.badge-past').count()).toBe(0)
    end()
    expect(troubles).toEqual([])
  })

  it('follows a link to a moment, and a live run grows behind it without changing it', async () => {
    const { page, viewer, mill, threadId, end, troubles } = await open('at=20')
    expect(await page.locator('.badge-past').textContent()).toBe('Past #20')
    const before = await texts(viewer, '.mr-thread')
    end()
    await mill.ended(threadId)
    await until('the run has ended in the dock', async () =>
      /Finished/.test((await texts(viewer, '.live-pill'))[0] ?? ''),
    )
    expect(await texts(viewer, '.mr-thread')).toEqual(before)
    expect(await entryOf(viewer)).toBe(20)
    expect(troubles).toEqual([])
  })

  it('is moved by keys alone, and says where it is once it rests, once', async () => {
    const { page, viewer, end, troubles } = await open('')
    const slider = page.getByRole('slider', { name: 'Moment of the run' })
    const said = () => texts(viewer, '.scrub [role=status]')
    await slider.focus()
    const last = await entryOf(viewer)
    await page.keyboard.press('ArrowLeft')
    expect(await entryOf(viewer)).toBe(last - 1)
    await page.keyboard.press('Home')
    expect(await entryOf(viewer)).toBe(1)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await entryOf(viewer)).toBe(3)
    await page.keyboard.press('Shift+ArrowRight')
    const step = await entryOf(viewer)
    await page.keyboard.press('Shift+ArrowRight')
    expect(await entryOf(viewer)).toBeGreaterThan(step)
    await page.keyboard.press('Shift+ArrowLeft')
    expect(await entryOf(viewer)).toBe(step)
    await page.keyboard.press('.')
    const mark = await entryOf(viewer)
    await page.keyboard.press('.')
    await page.keyboard.press(',')
    expect(await entryOf(viewer)).toBe(mark)
    await page.keyboard.press('>')
    expect(await page.locator('.speeds [aria-pressed=true]').textContent()).toBe('2×')
    await page.keyboard.press('<')
    expect(await slider.getAttribute('aria-valuetext')).not.toContain(`entry ${mark} of`)
    await until('the slider says the moment', async () =>
      new RegExp(`^0:\\d\\d\\.\\d, entry ${mark} of ${last}$`).test(
        (await slider.getAttribute('aria-valuetext')) ?? '',
      ),
    )
    expect(await slider.getAttribute('aria-valuenow')).toBe(String(mark))
    // The slider has the focus: it says its own value.
    expect(await said()).toEqual([''])
    await page.locator('.mr-thread-scroll').focus()
    await page.keyboard.press('.')
    await until('the moment is announced', async () => /^0:.*, entry \d+ of/.test((await said())[0] ?? ''))
    await page.keyboard.press('Shift+L')
    await until('the present is shown', async () => (await page.locator('.badge-past').count()) === 0)
    await page.keyboard.press('t')
    await until('the dock is closed', async () => (await slider.count()) === 0)
    // Writing is no command.
    await page.getByRole('textbox', { name: 'Message' }).fill('')
    await page.keyboard.type('t,.')
    expect(await slider.count()).toBe(0)
    end()
    expect(troubles).toEqual([])
  })

  it('plays a stored run to its end, without its silences, at once where motion is reduced', async () => {
    const { page, viewer, mill, threadId, end, troubles } = await open('', { reducedMotion: 'reduce' })
    end()
    await mill.ended(threadId)
    await until('the run is whole', async () => /Finished/.test((await texts(viewer, '.live-pill'))[0] ?? ''))
    await page.getByRole('button', { name: 'Skip silence' }).click()
    // How long the last command ran depends on the machine.
    expect((await texts(viewer, '.silence em')).slice(0, 3)).toEqual(['9 s', '3 s', '21 s'])
    await page.locator('.speeds').getByRole('button', { name: '10×' }).click()
    await page.getByRole('button', { name: 'Play' }).click()
    await page.locator('.badge-past').waitFor()
    const seen = new Set<number>()
    await until('it has played to the end', async () => {
      seen.add(await entryOf(viewer))
      return (await page.locator('.badge-past').count()) === 0
    })
    expect(seen.size).toBeGreaterThan(3)
    expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(1)
    // The choice stays in this browser.
    await page.reload()
    await page.locator('.silence').first().waitFor()
    expect(await page.locator('.speeds [aria-pressed=true]').textContent()).toBe('10×')
    expect(troubles).toEqual([])
  })

  it('says below the pointer what there is, and scrubs while it is held', async () => {
    const { page, viewer, end, troubles } = await open('')
    const box = (await page.locator('.scrub').boundingBox()) ?? expect.fail()
    await page.mouse.move(box.x + box.width * 0.8, box.y + 30)
    expect(await page.locator('.peek').textContent()).toMatch(/^Silent for 21 s0:\d\d\.\d · #\d+ · step 5$/)
    await page.mouse.move(box.x + 1, box.y + 30)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.3, box.y + 30, { steps: 12 })
    expect(await page.locator('.peek').count()).toBe(0)
    await until('the header follows the hand', async () => (await page.locator('.badge-past').count()) === 1)
    const held = await entryOf(viewer)
    await page.mouse.move(box.x + box.width * 0.5, box.y + 30, { steps: 12 })
    expect(await entryOf(viewer)).toBeGreaterThan(held)
    await page.mouse.up()
    const dropped = await entryOf(viewer)
    await until(
      'what is drawn is where the head is',
      async () => (await page.locator('.badge-past').textContent()) === `Past #${dropped}`,
    )
    end()
    expect(troubles).toEqual([])
  })

  it('is accessible, and fits each width without scrolling sideways', async () => {
    const { page, viewer, end, troubles } = await open()
    await clickAt(viewer, 0.4)
    await page.locator('.badge-past').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await brokenRules(page), colorScheme).toEqual([])
    }
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      const wide = await viewer.evaluate<string[]>(
        `[...document.querySelectorAll('html, body, .app, .main, .time, .chat, .past-bar')]
          .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.className || box.tagName)`,
      )
      expect(wide, `at ${width}`).toEqual([])
      expect(await brokenRules(page), `at ${width}`).toEqual([])
    }
    end()
    expect(troubles).toEqual([])
  })
})
