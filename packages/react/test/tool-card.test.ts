import type { ApprovalState } from '@millrace/core/event-fields'
import type { ApprovalSegment } from '@millrace/core/fold/shapes'
import { describe, expect, it } from 'vitest'
import { eventOf, htmlOf, wordsOf } from './html.ts'
import { at, text, todos, tool } from './segments.ts'

const live = { state: 'live' } as const
const drawn = (name: string, fields: Parameters<typeof tool>[2]) => htmlOf(eventOf([tool(1, name, fields)], live))

describe('the tool card', () => {
  it('S0-63: shows partial input while it streams, then the input, then the output', () => {
    const writing = drawn('acme', { state: 'input', inputText: '{"sku":"A-1' })
    expect(wordsOf(writing)).toContain('writing input · 11 B')
    expect(wordsOf(writing)).toContain('{"sku":"A-1')
    const ready = drawn('acme', { state: 'ready', input: { sku: 'A-1180' } })
    expect(wordsOf(ready)).toContain('{"sku":"A-1180"}')
    const done = drawn('acme', {
      state: 'failed',
      input: { sku: 'A-1180' },
      output: 'no such thing',
      error: 'no such thing',
    })
    expect(wordsOf(done)).toContain('no such thing')
  })

  it('shows a file to approve as its path and its text, not as JSON', () => {
    const approval = { approvalId: 'a', state: 'requested' } as const
    const input = { path: 'plan.md', content: '# Plan\n\n1. Clear' }
    const html = drawn('write_file', { state: 'approval', input, approval })
    expect(html).toContain('<pre class="mr-output mr-whole">plan.md</pre>')
    expect(html).toContain('<pre class="mr-output mr-whole"># Plan\n\n1. Clear</pre>')
  })

  it('S1-15: says which tool is used', () => {
    expect(wordsOf(drawn('run_shell_command', { state: 'running' }))).toContain('Using run_shell_command…')
    expect(wordsOf(drawn('run_shell_command', { state: 'done' }))).not.toContain('Using')
  })

  it('S1-16: shows what it prints in order, the last twelve lines', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}.`).join('\n')
    const words = wordsOf(
      drawn('Bash', { state: 'running', progress: [{ channel: 'stdout', text: lines, percent: 65 }] }),
    )
    expect(words).toContain('65 %')
    expect(words).toContain('line 19. line 20.')
    expect(words).not.toContain('line 18.')
    expect(words).toContain('Show 18 more lines')
  })

  it('S1-17: is one line once it is done', () => {
    const html = drawn('Bash', { state: 'done', input: { command: 'ls' }, output: 'a.txt' })
    expect(html).toContain('aria-expanded="false"')
    expect(wordsOf(html)).toBe('Bash ls 0.4s')
  })

  it('S3-27 S3-28: goes from loading to completed or failed, for tools of the agent and of the provider', () => {
    for (const runBy of ['agent', 'provider'] as const) {
      expect(drawn('search', { state: 'running', runBy })).toContain('mr-spinner')
      expect(drawn('search', { state: 'done', runBy })).not.toContain('mr-spinner')
      const failed = drawn('search', { state: 'failed', runBy, output: 'exit code 1' })
      expect(failed).toContain('aria-expanded="true"')
      expect(wordsOf(failed)).toContain('exit 1')
    }
  })

  it('says in words that it was denied, stopped or approved, and by whom, whatever the outcome of the call', () => {
    expect(wordsOf(drawn('Bash', { state: 'denied' }))).toBe('Bash denied 0.4s')
    expect(wordsOf(drawn('Bash', { state: 'cancelled' }))).toBe('Bash stopped 0.4s')
    const answered = (state: ApprovalState, by?: 'server') => ({
      approval: { approvalId: 'a', state, ...(by !== undefined && { by }) },
    })
    const byYou = answered('approved', 'server')
    expect(wordsOf(drawn('Bash', { state: 'done', ...byYou }))).toBe('Bash approved by you 0.4s')
    expect(wordsOf(drawn('Bash', { state: 'running', ...byYou }))).toContain('approved by you')
    expect(wordsOf(drawn('Bash', { state: 'cancelled', ...byYou }))).toBe('Bash approved by you stopped 0.4s')
    expect(wordsOf(drawn('Bash', { state: 'done', ...answered('approved') }))).toContain('approved in the stream')
    expect(wordsOf(drawn('Bash', { state: 'denied', ...answered('denied', 'server') }))).toBe('Bash denied by you 0.4s')
    expect(wordsOf(drawn('Bash', { state: 'cancelled', ...answered('expired', 'server') }))).toBe('Bash expired 0.4s')
  })

  it('asks nothing once its run has ended: no answer is possible then', () => {
    const approval = { approvalId: 'a', state: 'requested' } as const
    const question = tool(1, 'Bash', { state: 'approval', input: { command: 'ls' }, approval })
    const alone: ApprovalSegment = { type: 'approval', ...approval, message: 'Which one?', ...at(2) }
    for (const segment of [question, alone]) {
      const html = htmlOf(eventOf([segment]), { isOver: true, onAnswer: () => {} })
      expect(html).not.toContain('mr-asking')
      expect(html).not.toContain('Approve')
      expect(wordsOf(html)).toContain('not answered')
    }
  })

  it('asks with the whole command, and with buttons only if an answer can be sent', () => {
    const command = `echo ${'x'.repeat(2000)}`
    const asking = tool(1, 'Bash', {
      state: 'approval',
      input: { command },
      approval: { approvalId: 'a', state: 'requested' },
    })
    const event = eventOf([asking], live)
    expect(wordsOf(htmlOf(event))).toContain(command)
    expect(htmlOf(event)).not.toContain('<button')
    expect(wordsOf(htmlOf(event, { onAnswer: () => {} }))).toContain('Deny D Approve A')
  })

  it('offers the answers of a question', () => {
    const question = {
      type: 'approval',
      approvalId: 'q',
      state: 'requested',
      request: { options: ['staging', 'canary'] },
      ...at(1),
    } as const
    const html = htmlOf(eventOf([question], live), { onAnswer: () => {} })
    expect([...html.matchAll(/<button[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual(['staging', 'canary'])
  })

  it('does not look live once the run has ended', () => {
    const event = eventOf([tool(1, 'client_tool', { state: 'ready', input: { a: 1 } })])
    expect(htmlOf(event)).toContain('mr-spinner')
    expect(htmlOf(event, { isOver: true })).not.toContain('mr-spinner')
    expect(wordsOf(htmlOf(event, { isOver: true }))).toContain('no result')
  })

  it('shows head and tail of a long output, and terminal codes as inert text', () => {
    const output = Array.from({ length: 500 }, (_, index) => `row ${index + 1}.`).join('\n')
    const words = wordsOf(drawn('acme', { state: 'failed', output }))
    expect(words).toContain('row 500.')
    expect(words).not.toContain('row 250.')
    expect(drawn('acme', { state: 'failed', output: '\u001b]0;owned\u0007\u001b[31mred' })).toContain(
      '<span class="mr-ansi-red">red</span>',
    )
  })

  it('S0-120: counts the steps of a plan', () => {
    const html = htmlOf(eventOf([todos(1, ['completed', 'completed', 'in_progress', 'pending', 'pending'])], live))
    expect(wordsOf(html)).toContain('2 of 5')
    expect(wordsOf(html)).toContain('Now: Step 3')
    expect(html.match(/mr-pip-completed/g)).toHaveLength(2)
  })

  it('draws a subagent with the same cards, and its call only once', () => {
    const nested = {
      type: 'subagent',
      agentId: 'a',
      name: 'scout',
      task: 'Look around',
      state: 'live',
      segments: [tool(2, 'Read', { state: 'running' }), text(3, 'Found it.')],
      ...at(1),
    } as const
    const call = tool(4, 'Task', { shownAs: 'subagent' })
    const words = wordsOf(htmlOf(eventOf([call, nested], live)))
    expect(words).toContain('scout subagent running')
    expect(words).toContain('Look around')
    expect(words).toContain('Found it.')
    expect(words).not.toContain('Task')
  })
})
