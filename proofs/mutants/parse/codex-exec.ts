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
]
