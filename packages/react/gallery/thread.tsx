import { Icon } from '../src/icon.tsx'
import { ThreadView } from '../src/index.ts'
import { boot, plan, status, thought } from './samples/blocks.ts'
import { message, NOW } from './samples/make.ts'
import { answer, sources, subagent, text } from './samples/others.ts'
import * as tools from './samples/tools.ts'

const events = [
  message(
    'ask',
    [
      text(
        'Clients behind our proxy lose the SSE stream after **exactly 60 s** of silence. Find out why.\nDon’t touch the public API of `src/stream/`.',
      ),
    ],
    { role: 'user', by: 'server' },
  ),
  message(
    'first',
    [
      status(boot, 90_000, 4000),
      thought('It is a timer.', 80_000, 12_000),
      ...tools.lookups,
      subagent(false),
      text(answer),
      ...sources,
    ],
    { model: 'sonnet-4.5', usage: { inputTokens: 79_600, outputTokens: 9300, costUsd: 0.35 } },
  ),
  message('go', [text('Good. Do it.')], { role: 'user', by: 'server' }),
  message(
    'second',
    [
      plan(3, true),
      tools.edited,
      tools.failed,
      text(
        'The test fails on the old code, as it should. Running the whole suite behind nginx now; the restart needs your approval.',
      ),
      tools.running,
      tools.asking,
      thought(
        'While the suite runs: `unref()` on the timer matters, or an idle server would never exit on SIGTERM. I should check that the shutdown test covers it',
        12_000,
      ),
    ],
    { state: 'live' },
  ),
]

const actions = () => (
  <button type="button" className="mr-icon-button" aria-label="Copy message">
    <Icon name="copy" />
  </button>
)

export function Thread() {
  return (
    <main className="page">
      <ThreadView events={events} now={() => NOW} onAnswer={() => {}} renderActions={actions} />
    </main>
  )
}
