import type { Mutant } from '../mutant.ts'

const codex = 'packages/core/src/parse/codex-exec'

export const mutants: readonly Mutant[] = [
  {
    file: `${codex}.ts`,
    find: "isLast ? '' : items.growth(callId, (read.aggregated_output ?? '') as string)",
    replace: "isLast ? '' : ((read.aggregated_output ?? '') as string)",
    promise: 'a growing output emits only what is new',
  },
  {
    file: `${codex}/items.ts`,
    find: "['declined', 'denied']",
    replace: "['declined', 'error']",
    promise: 'a declined command is denied, not failed',
  },
  {
    file: `${codex}/items.ts`,
    find: 'value - (base[count] ?? 0)',
    replace: 'value',
    promise: 'usage is not counted twice',
  },
  {
    file: `${codex}.ts`,
    find: 'ending === undefined || !agents.delete(agentId)',
    replace: 'ending === undefined || agents.has(agentId)',
    promise: 'a subagent ends when its state says so',
  },
  {
    file: `${codex}.ts`,
    find: "if (isRetry(message)) return [{ type: 'status', message, level: 'warn' }]\n",
    replace: '',
    promise: 'a retry is not a failure',
  },
  {
    file: `${codex}.ts`,
    find: '    runEnd = outcome\n',
    replace: "    if (runEnd?.outcome !== 'awaiting-input') runEnd = outcome\n",
    promise: 'a question of an earlier turn does not hold the run',
  },
  {
    file: `${codex}.ts`,
    find: '    runEnd = outcome\n',
    replace: '    runEnd = outcome ?? runEnd\n',
    promise: 'an error of an earlier turn does not fail the run',
  },
  {
    file: `${codex}/items.ts`,
    find: 'lastTotal = { ...base, ...Object.fromEntries(total) }',
    replace: 'lastTotal = Object.fromEntries(total)',
    promise: 'a count that is absent once is not counted again',
  },
  {
    file: `${codex}/items.ts`,
    find: 'isFailed: Boolean(error),',
    replace: 'isFailed: false,',
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
  {
    file: `${codex}/items.ts`,
    find: '    extraEvents: resultFiles(content, id),\n',
    replace: '',
    promise: 'an image of an MCP server is a file',
  },
]
