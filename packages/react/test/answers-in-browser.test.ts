import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { eventOf } from './html.ts'
import { at, text, tool } from './segments.ts'
import { openStage, type Performance } from './stage.ts'

const played = openStage()

const live = (...segments: readonly Segment[]): ChatEvent[] => [eventOf(segments, { state: 'live' })]
const asking = (approvalId: string, seq = 1) =>
  tool(seq, 'Bash', { state: 'approval', input: { command: 'ls' }, approval: { approvalId, state: 'requested' } })
const question = (approvalId: string, seq = 1): Segment => ({
  type: 'approval',
  approvalId,
  state: 'requested',
  request: { options: ['staging', 'canary'] },
  ...at(seq),
})

const answers = ({ page }: Performance) => page.evaluate(() => globalThis.stage.answers.map((each) => each.join(' ')))
const canPress = ({ page }: Performance) =>
  page.$$eval('.mr-answers button', (nodes) => nodes.map((node) => !(node as HTMLButtonElement).disabled))
const reply = ({ page }: Performance, ...replies: readonly ('taken' | 'refused' | 'thrown' | 'held')[]) =>
  page.evaluate((each) => void globalThis.stage.replies.push(...each), replies)

describeInBrowser('answers', () => {
  it('can be given again however often the host fails, and once it takes one, no more', () =>
    played(async (performance) => {
      const { page } = performance
      const errors: string[] = []
      page.on('pageerror', ({ message }) => errors.push(message))
      await reply(performance, 'refused', 'thrown', 'refused', 'taken')
      await performance.show(live(asking('a')))
      for (const expected of [true, true, true, false]) {
        await page.$eval('.mr-primary', (button) => (button as HTMLElement).click())
        await expect.poll(() => canPress(performance)).toEqual([expected, expected])
        expect(await page.evaluate(() => document.activeElement?.className)).toContain('mr-asking')
      }
      await page.locator('.mr-asking').press('d')
      expect(await page.evaluate(() => globalThis.stage.answers)).toEqual(Array(4).fill(['a', { state: 'approved' }]))
      expect(errors).toEqual([])
    }))

  it('belong to one question: a call that asks again can be answered again, and an old failure does not count', () =>
    played(async (performance) => {
      const { page } = performance
      await reply(performance, 'held', 'held')
      await performance.show(live(asking('first')))
      await page.locator('.mr-asking').press('a')
      expect(await canPress(performance)).toEqual([false, false])
      await performance.show(live(asking('second')))
      expect(await canPress(performance)).toEqual([true, true])
      await page.locator('.mr-asking').press('d')
      expect(await canPress(performance)).toEqual([false, false])
      await page.evaluate(() => globalThis.stage.refuseHeld())
      expect(await canPress(performance)).toEqual([false, false])
      await page.evaluate(() => globalThis.stage.refuseHeld())
      await expect.poll(() => canPress(performance)).toEqual([true, true])
      expect(await page.evaluate(() => globalThis.stage.answers)).toEqual([
        ['first', { state: 'approved' }],
        ['second', { state: 'denied' }],
      ])
    }))

  it('of several open questions go to their own question, and leave the others open', () =>
    played(async (performance) => {
      const { page } = performance
      await performance.show(live(asking('a', 1), question('q', 2), asking('b', 3), question('r', 4)))
      await page.getByRole('button', { name: 'canary' }).last().click()
      await page.getByRole('button', { name: 'Deny' }).last().click()
      expect(await canPress(performance)).toEqual([true, true, true, true, false, false, false, false])
      await page.getByRole('button', { name: 'staging' }).first().click()
      await page.getByRole('button', { name: 'Approve' }).first().click()
      expect(await page.evaluate(() => globalThis.stage.answers)).toEqual([
        ['r', { state: 'answered', answer: 'canary' }],
        ['b', { state: 'denied' }],
        ['q', { state: 'answered', answer: 'staging' }],
        ['a', { state: 'approved' }],
      ])
    }))

  it('are given by the plain keys A and D alone, once per press, and never to a question with choices', () =>
    played(async (performance) => {
      const given = await performance.page.evaluate(
        async ([events, choices]) => {
          const modifiers = [
            {},
            { shiftKey: true },
            { ctrlKey: true },
            { metaKey: true },
            { altKey: true },
            { repeat: true },
          ]
          const out: string[] = []
          for (const [kind, json] of [
            ['call', events],
            ['choices', choices],
          ] as const)
            for (const key of ['a', 'A', 'd', 'D', 'Enter', ' ', 'Escape', 'Process', 'x'])
              for (const modifier of modifiers) {
                const id = `${kind} ${key} ${Object.keys(modifier).join('')}`.trim()
                globalThis.stage.show(JSON.parse(json.replaceAll('APPROVAL', id)))
                await globalThis.stage.drawn()
                const event = new KeyboardEvent('keydown', { key, ...modifier, bubbles: true, cancelable: true })
                document.querySelector('.mr-asking')?.dispatchEvent(event)
                if (event.defaultPrevented) out.push(id)
              }
          return [out, globalThis.stage.answers.map(([id, { state }]) => `${id}: ${state}`)]
        },
        [JSON.stringify(live(asking('APPROVAL'))), JSON.stringify(live(question('APPROVAL')))] as const,
      )
      const keys = ['a', 'a shiftKey', 'A', 'A shiftKey', 'd', 'd shiftKey', 'D', 'D shiftKey'].map(
        (key) => `call ${key}`,
      )
      expect(given[0]).toEqual(keys)
      expect(given[1]).toEqual(keys.map((key) => `${key}: ${/call a/i.test(key) ? 'approved' : 'denied'}`))
    }))

  it('are not possible while the host does not continue runs, and are when it does', () =>
    played(async ({ page, show }) => {
      const failed = [eventOf([text(1, 'Stuck.')], { state: 'interrupted' })]
      for (const canContinue of [true, false, true, false]) {
        await show(failed, { isOver: true, canContinue })
        const buttons = () => page.locator('button', { hasText: 'Continue' }).count()
        await expect.poll(buttons).toBe(canContinue ? 1 : 0)
      }
    }))

  it('are not possible once the run is over, and a message can be continued as often as it is pressed', () =>
    played(async (performance) => {
      const { page } = performance
      await performance.show(live(asking('a', 1), question('q', 2)))
      expect(await canPress(performance)).toHaveLength(4)
      await performance.show(live(asking('a', 1), question('q', 2)), { isOver: true })
      expect(await canPress(performance)).toEqual([])
      await performance.show([eventOf([text(1, 'Cut')], { state: 'interrupted' })])
      for (let press = 0; press < 2; press++) await page.getByRole('button', { name: 'Continue' }).click()
      expect(await page.evaluate(() => globalThis.stage.continued)).toEqual(['run/m1', 'run/m1'])
      expect(await answers(performance)).toEqual([])
    }))

  it('are given to several calls of one tool at once, or one by one, also when some are answered', () =>
    played(async (performance) => {
      const { page } = performance
      const rm = (seq: number, state: 'requested' | 'denied' = 'requested') => ({
        ...asking(`a${seq}`, seq),
        ...(state === 'denied' && { state: 'denied' as const, approval: { approvalId: `a${seq}`, state } }),
      })
      await performance.show(live(rm(1), rm(2), rm(3)))
      const group = page.getByRole('group', { name: 'Approve 3 calls?' })
      expect(await group.getByRole('listitem').allTextContents()).toEqual(['ls', 'ls', 'ls'])
      expect(await group.getByRole('checkbox').count()).toBe(0)
      await reply(performance, 'refused', 'taken', 'taken')
      await group.press('d')
      await expect.poll(() => canPress(performance)).toEqual([true, true, true])
      await group.getByRole('button', { name: 'Approve 3' }).click()
      expect(await canPress(performance)).toEqual([false, false, false])
      expect(await page.evaluate(() => document.activeElement?.className)).toContain('mr-asking')
      const denied = ['a1', 'a2', 'a3'].map((id) => [id, { state: 'denied' }])
      const approved = ['a1', 'a2', 'a3'].map((id) => [id, { state: 'approved' }])
      expect(await page.evaluate(() => globalThis.stage.answers)).toEqual([...denied, ...approved])

      await performance.show(live(rm(4), rm(5), rm(6)))
      await page.getByRole('button', { name: 'One by one' }).click()
      expect(await page.locator('.mr-asking').count()).toBe(3)
      await performance.show(live(rm(4, 'denied'), rm(5), rm(6)))
      expect(await page.locator('.mr-asking').count()).toBe(2)
      expect(await page.getByRole('group', { name: /calls/ }).count()).toBe(0)
    }))

  it('are not joined if the calls are of different tools, or once the run is over', () =>
    played(async (performance) => {
      const { page } = performance
      const write = { ...asking('w', 2), name: 'Write' }
      await performance.show(live(asking('a', 1), write))
      expect(await page.locator('.mr-asking').count()).toBe(2)
      await performance.show(live(asking('a', 1), asking('b', 2)), { isOver: true })
      expect(await page.locator('.mr-asking').count()).toBe(0)
      expect(await page.locator('.mr-tool').count()).toBe(2)
    }))
})
