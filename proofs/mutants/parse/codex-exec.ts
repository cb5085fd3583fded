import type { Mutant } from '../mutant.ts'

const codex = 'packages/core/src/parse/codex-exec'

export const mutants: readonly Mutant[] = [
  {
    file: `${codex}/open-items.ts`,
    find: 'const more = text.slice(item.emittedText.length)',
    replace: 'const more = text',
    promise: 'a growing item emits only what is new',
  },
  {
    file: `${codex}/tools.ts`,
    find: "  declined: 'denied',",
    replace: "  declined: 'error',",
    promise: 'a declined command is denied, not failed',
  },
  {
    file: `${codex}/usage.ts`,
    find: 'value - (base[field] ?? 0)',
    replace: 'value',
    promise: 'usage is not counted twice',
  },
  {
    file: `${codex}/collab.ts`,
    find: 'ending === undefined || !running.delete(agentId)',
    replace: 'ending === undefined || running.has(agentId)',
    promise: 'a subagent ends when its state says so',
  },
  {
    file: `${codex}.ts`,
    find: "if (isRetry(message)) return [{ type: 'status', message: message, level: 'warn' }]\n",
    replace: '',
    promise: 'a retry is not a failure',
  },
  {
    file: `${codex}.ts`,
    find: '      isAsking = false\n      return [',
    replace: '      return [',
    promise: 'a question of an earlier turn does not hold the run',
  },
  {
    file: `${codex}.ts`,
    find: '      lastError = undefined\n',
    replace: '',
    promise: 'an error of an earlier turn does not fail the run',
  },
  {
    file: `${codex}/usage.ts`,
    find: 'lastTotal = { ...base, ...total }',
    replace: 'lastTotal = total',
    promise: 'a count that is absent once is not counted again',
  },
  {
    file: `${codex}/tools.ts`,
    find: "const status = error && reportedStatus === 'ok' ? 'error' : reportedStatus",
    replace: 'const status = reportedStatus',
    promise: 'a call with an error has failed, whatever its status',
  },
  {
    file: `${codex}.ts`,
    find: 'delta.text_delta ?? delta.text',
    replace: 'delta.text_delta',
    promise: 'a delta is read under each of its names',
  },
  {
    file: `${codex}.ts`,
    find: "const message = typeof error === 'string' ? error : error?.message",
    replace: "const message = typeof error === 'string' ? undefined : error?.message",
    promise: 'a failure that is a text is its message',
  },
]
