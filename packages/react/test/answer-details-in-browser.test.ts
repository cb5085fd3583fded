import type { ChatEvent, ToolSegment } from '@millrace/core/fold/shapes'
import type { Json } from '@millrace/core/json'
import { expect, it } from 'vitest'
import { describeInBrowser } from '../../../test/browser/chromium.ts'
import { eventOf } from './html.ts'
import { tool } from './segments.ts'
import { openStage, type Performance } from './stage.ts'

const played = openStage()
const ALL = { hasAnswerOptions: true }

const asking = (name: string, input: Json, request?: Json, approvalId = 'a'): ChatEvent[] => [
  eventOf(
    [
      tool(1, name, {
        state: 'approval',
        input,
        approval: { approvalId, state: 'requested', ...(request !== undefined && { request }) },
      }),
    ],
    { state: 'live' },
  ),
]
const command = (request?: Json, approvalId?: string) => asking('Bash', { command: 'rm -r dist' }, request, approvalId)
const answers = ({ page }: Performance) => page.evaluate(() => globalThis.stage.answers)
const buttons = ({ page }: Performance) => page.locator('.mr-asking button').allTextContents()
const press = ({ page }: Performance, name: string) => page.getByRole('button', { name }).click()

describeInBrowser('more than yes and no', () => {
  it('is offered only if the host passes it on, and for the session only if the agent offers that', () =>
    played(async (performance) => {
      const { page, show } = performance
      await show(command({ remember: ['session'] }))
      expect(await buttons(performance)).toEqual(['Deny D', 'Approve A'])
      await show(command({ remember: ['session'] }), ALL)
      expect(await buttons(performance)).toEqual(['Edit', 'Deny and say E', 'Deny D', 'Approve A'])
      expect(await page.locator('.mr-remember').count()).toBe(1)
      await show(command(), ALL)
      expect(await page.locator('.mr-remember').count()).toBe(0)
    }))

  it('approves for the session if that is checked, and the check belongs to one question', () =>
    played(async (performance) => {
      const { page, show } = performance
      await show(command({ remember: ['session'] }, 'one'), ALL)
      await page.getByRole('checkbox').check()
      await page.locator('.mr-asking').press('a')
      await show(command({ remember: ['session'] }, 'two'), ALL)
      expect(await page.getByRole('checkbox').isChecked()).toBe(false)
      await page.locator('.mr-asking').press('a')
      expect(await answers(performance)).toEqual([
        ['one', { state: 'approved', remember: 'session' }],
        ['two', { state: 'approved' }],
      ])
    }))

  it('approves a changed command; unchanged it is approved as it is, and no key answers meanwhile', () =>
    played(async (performance) => {
      const { page, show } = performance
      await show(command(), ALL)
      await press(performance, 'Edit')
      const field = page.getByRole('textbox', { name: 'Changed input' })
      expect(await field.evaluate((node) => node === document.activeElement)).toBe(true)
      await page.keyboard.type('ad')
      await page.locator('.mr-asking').press('a')
      expect(await answers(performance)).toEqual([])
      await field.fill('ls dist')
      await press(performance, 'Approve the change')
      await show(command(undefined, 'b'), ALL)
      await press(performance, 'Edit')
      await press(performance, 'Approve')
      expect(await answers(performance)).toEqual([
        ['a', { state: 'approved', input: { command: 'ls dist' } }],
        ['b', { state: 'approved' }],
      ])
    }))

  it('says at once that JSON is not valid, and does not approve it', () =>
    played(async (performance) => {
      const { page, show } = performance
      await show(asking('restart', { service: 'edge' }), ALL)
      await press(performance, 'Edit')
      await page.getByRole('textbox').fill('{"service":')
      expect(await page.locator('.mr-problem').textContent()).toContain('not valid JSON')
      expect(await page.getByRole('button', { name: 'Approve the change' }).isDisabled()).toBe(true)
      await page.getByRole('textbox').fill('{"service":"core"}')
      expect(await page.locator('.mr-problem').textContent()).toBe('')
      await press(performance, 'Approve the change')
      expect(await answers(performance)).toEqual([['a', { state: 'approved', input: { service: 'core' } }]])
    }))

  it('denies with words by the keyboard alone; Escape leaves the words and the focus stays at the question', () =>
    played(async (performance) => {
      const { page, show } = performance
      await show(command(), ALL)
      await page.locator('.mr-asking').press('e')
      await page.keyboard.type('a draft')
      await page.keyboard.press('Escape')
      expect(await page.evaluate(() => document.activeElement?.className)).toContain('mr-asking')
      await page.keyboard.press('e')
      await page.keyboard.type('Use the preview cluster')
      await page.keyboard.press('Enter')
      expect(await answers(performance)).toEqual([['a', { state: 'denied', message: 'Use the preview cluster' }]])
    }))

  it('is shown afterwards: the input as it was approved, and for how long', () =>
    played(async ({ page, show }) => {
      const approval: ToolSegment['approval'] = {
        approvalId: 'a',
        state: 'approved',
        by: 'server',
        remember: 'session',
        input: { command: 'ls dist' },
      }
      const done = tool(1, 'Bash', { input: { command: 'rm -r dist' }, approval, output: 'index.html' })
      await show([eventOf([done], { state: 'done' })])
      expect(await page.locator('.mr-badge').textContent()).toBe('approved by you · changed · for the session')
      await page.locator('.mr-head').click()
      expect(await page.locator('.mr-answer-detail').textContent()).toBe('As it was approvedls dist')
    }))
})
