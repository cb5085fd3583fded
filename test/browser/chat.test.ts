import { rmSync } from 'node:fs'
import type { ChatEvent } from '@millrace/core/fold/shapes'
import { afterAll, expect, it } from 'vitest'
import { builtPage, openChat } from './chat-page.ts'
import { describeInBrowser } from './chromium.ts'
import { useSession } from './session.ts'
import { lines, stepped } from './stepped.ts'

const createRepairer = () =>
  stepped('repairer', async function* (_request, host) {
    yield lines.thinking('Wood first.')
    yield lines.text('I look at the wheel.')
    yield lines.call('c1', 'measure')
    yield lines.result('c1', 'Three paddles are rotten')
    yield lines.call('c2', 'replace')
    await host.ask({ callId: 'c2', message: 'May I replace them?' })
    yield lines.result('c2', 'Replaced')
    yield lines.text('It turns.')
    yield lines.done
  })

/** Says how much it has heard before, in two halves. */
const createTalker = () =>
  stepped('talker', async function* ({ history }) {
    yield lines.text(`After ${history.length}: the first half`)
    yield lines.text(' and the second.')
    yield lines.done
  })

describeInBrowser('useChat with its default transport, in a page', () => {
  let folder = ''
  const session = useSession(async () => {
    folder = await builtPage('chat-app')
    return folder
  })
  afterAll(() => folder !== '' && rmSync(folder, { recursive: true, force: true }))

  it('S0-7: streams tools, resumes after a reload, continues a tool after its approval and ends with the folded content', async () => {
    const { agent, playTo } = createRepairer()
    const mill = await session.startMill([agent])
    const context = await session.openContext()
    await (await context.newPage()).goto(mill.entrance)
    const chat = await openChat(context, `${mill.url}/wheel`)
    await chat.press('Send')
    playTo(3)
    await chat.shows('measure', 'streaming')
    expect((await chat.parts()).at(-1)).toMatchObject({ type: 'dynamic-tool', toolName: 'measure' })
    await chat.page.reload()
    await chat.shows('measure', 'streaming')
    playTo(Number.POSITIVE_INFINITY)
    await chat.shows('approval-requested', 'ready')
    expect((await mill.log.runs('wheel')).map(({ state }) => state)).not.toContain('ended')
    await chat.press('Approve')
    await chat.shows('It turns.', 'ready')
    const parts = await chat.parts()
    expect(parts).toMatchObject([
      { type: 'reasoning', text: 'Wood first.\n' },
      { type: 'text', text: 'I look at the wheel.' },
      { type: 'dynamic-tool', toolCallId: 'c1', state: 'output-available', output: 'Three paddles are rotten' },
      { type: 'dynamic-tool', toolCallId: 'c2', state: 'output-available', approval: { approved: true } },
      { type: 'text', text: 'It turns.' },
    ])
    await mill.ended('wheel')
    const thread = await context.request.get(`${mill.url}/api/threads/wheel`)
    const { chatEvents } = (await thread.json()) as { readonly chatEvents: readonly ChatEvent[] }
    const folded = chatEvents.filter(({ role }) => role === 'assistant').flatMap(({ segments }) => segments)
    expect(parts.map(essence)).toEqual(folded.map(essence))
  })

  it('shows the whole conversation after a reload, also in the middle of an answer, and heals an answer that was cut', async () => {
    const { agent, playTo } = createTalker()
    const mill = await session.startMill([agent])
    const context = await session.openContext()
    await (await context.newPage()).goto(mill.entrance)
    const chat = await openChat(context, `${mill.url}/talk`)
    const rolesOf = async () => (await chat.messages()).map(({ role }) => role)
    await chat.press('Send')
    playTo(Number.POSITIVE_INFINITY)
    await chat.shows('and the second.', 'ready')
    const before = await chat.messages()
    await chat.page.reload()
    await chat.shows('and the second.', 'ready')
    expect(await chat.messages()).toEqual(before)
    playTo(1)
    await chat.press('Send')
    await chat.shows('After 2: the first half', 'streaming')
    await chat.page.reload()
    await chat.shows('After 2: the first half', 'streaming')
    expect((await chat.messages()).slice(0, 2)).toEqual(before)
    expect(await rolesOf()).toEqual(['user', 'assistant', 'user', 'assistant'])
    // The client disconnects in the middle of the answer, and the run ends before it asks again.
    await chat.press('Leave')
    await chat.shows('After 2: the first half', 'ready')
    playTo(Number.POSITIVE_INFINITY)
    await mill.ended('talk')
    expect(JSON.stringify(await chat.parts())).not.toContain('and the second')
    await chat.press('Resume')
    await chat.shows('After 2: the first half and the second.', 'ready')
    expect(await rolesOf()).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('S0-7: is stopped from a second tab, and both tabs end', async () => {
    const { agent, playTo } = createRepairer()
    const mill = await session.startMill([agent])
    const context = await session.openContext()
    await (await context.newPage()).goto(mill.entrance)
    const first = await openChat(context, `${mill.url}/wheel`)
    await first.press('Send')
    playTo(2)
    await first.shows('I look at the wheel.', 'streaming')
    const second = await openChat(context, `${mill.url}/wheel`)
    await second.shows('I look at the wheel.', 'streaming')
    await second.press('Stop')
    for (const chat of [first, second]) await chat.shows('I look at the wheel.', 'ready')
    expect((await mill.ended('wheel')).outcome).toBe('cancelled')
    expect(await second.parts()).toEqual(await first.parts())
  })
})

/** What a part of a message and a segment have in common. */
function essence(piece: { readonly type: string; readonly text?: unknown; readonly output?: unknown }): unknown {
  const { type, text, output } = piece
  return { type: type === 'dynamic-tool' ? 'tool' : type, text, output }
}
