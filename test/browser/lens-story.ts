import type { Agent } from '@millrace/server/run/agent'

const EDIT = {
  file_path: 'src/gate/sluice.ts',
  old_string: "  gate.setMode('manual')\n  const opensAt = 90",
  new_string:
    "  gate.setMode('by-level')\n  // The gate opens before the water is high, and closes as slowly as it opens.\n  const opensAt = 80\n  let lastLevel = readLevel()",
}
export const RESULT = 'The file src/gate/sluice.ts has been updated. 4 lines added, 2 removed.'

let number = 0
/** The members that each line of the stream ends with. */
const ends = () => ({ session_id: 'sluice-1', parent_tool_use_id: null, uuid: `u${++number}` })
const streamed = (event: object) => ({ type: 'stream_event', event, ...ends() })
const block = (index: number, contentBlock: object) =>
  streamed({ type: 'content_block_start', index, content_block: contentBlock })
const delta = (index: number, part: object) => streamed({ type: 'content_block_delta', index, delta: part })
const stop = (index: number) => streamed({ type: 'content_block_stop', index })
const inParts = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

const call = (index: number, id: string, name: string, input: object, size: number) => [
  block(index, { type: 'tool_use', id, name, input: {} }),
  ...inParts(JSON.stringify(input), size).map((text) => delta(index, { type: 'input_json_delta', partial_json: text })),
  stop(index),
]
const result = (id: string, content: string) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ...ends(),
})
const message = (id: string, content: readonly object[], reason: string) => [
  streamed({
    type: 'message_start',
    message: { id, type: 'message', role: 'assistant', model: 'miller-1', content: [], usage: { input_tokens: 812 } },
  }),
  ...content,
  streamed({ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 96 } }),
  streamed({ type: 'message_stop' }),
]
const text = (index: number, words: string) => [
  block(index, { type: 'text', text: '' }),
  ...inParts(words, 14).map((part) => delta(index, { type: 'text_delta', text: part })),
  stop(index),
]

/** A stream with a question to a tool, an edit whose input comes in many parts, and a record of nobody's format. */
const lines: readonly object[] = [
  { type: 'system', subtype: 'init', cwd: '/mill', tools: ['Read', 'Edit'], model: 'miller-1', ...ends() },
  ...message(
    'msg_1',
    [
      ...text(0, 'The gate opens too late. First I read what decides about it.'),
      ...call(1, 'toolu_read', 'Read', { file_path: 'src/gate/sluice.ts' }, 30),
    ],
    'tool_use',
  ),
  result('toolu_read', "1\texport function sluice() {\n2\t  gate.setMode('manual')\n3\t  const opensAt = 90\n4\t}"),
  { kind: 'gauge', level: 74, note: '<img src=x onerror=alert(1)>' },
  ...message(
    'msg_2',
    [
      ...text(0, 'It opens at 90 cm, which is too high. I open it at 80 cm.'),
      ...call(1, 'toolu_edit', 'Edit', EDIT, 9),
    ],
    'tool_use',
  ),
  result('toolu_edit', RESULT),
]
const lastLines: readonly object[] = [
  ...message('msg_3', text(0, 'The gate now opens before the water is high.'), 'end_turn'),
  { type: 'result', subtype: 'success', is_error: false, num_turns: 3, result: 'Done.', ...ends() },
]

/** Plays the stream, and goes on when it is told to. */
export function lensAgent(): { readonly agent: Agent; readonly goOn: () => void } {
  const gate = Promise.withResolvers<void>()
  const encoder = new TextEncoder()
  const bytes = (line: object) => encoder.encode(`${JSON.stringify(line)}\n`)
  return {
    goOn: gate.resolve,
    agent: {
      name: 'miller',
      title: 'Miller',
      format: 'claude-agent-sdk',
      framing: 'json-lines',
      async *run({ signal }) {
        signal.addEventListener('abort', () => gate.resolve())
        for (const line of lines) {
          yield bytes(line)
          // A stream takes its time: so the entries have times of their own.
          await new Promise((next) => setTimeout(next, 4))
        }
        await gate.promise
        for (const line of lastLines) yield bytes(line)
      },
    },
  }
}
