import type { StreamEvent } from '@millrace/core/events'
import type { Json, JsonObject } from '@millrace/core/json'

/** What the demo does after a pause, in ms: prints a line, or adds events that no line of its format can carry. */
export interface Step {
  readonly pause: number
  readonly line?: string
  readonly events?: readonly StreamEvent[]
}

export function line(pause: number, type: string, data: { readonly [field: string]: Json }): Step {
  return { pause, line: JSON.stringify({ type, data }) }
}

export const added = (pause: number, ...events: readonly StreamEvent[]): Step => ({ pause, events })

export const done = line(100, 'done', {})

/** Text as a model streams it: one word at a time, with a longer pause after a line. */
export function spoken(text: string): readonly Step[] {
  const words = text.match(/\s+|\S+\s*/g) ?? []
  return words.map((content, index) => {
    const linePause = content.includes('\n') ? 40 : 0
    return line(16 + ((index * 37) % 29) + linePause, 'text', { content })
  })
}

/** One line per thought, at reading speed. */
export function thoughts(...lines: readonly string[]): readonly Step[] {
  return lines.map((content) => line(250 + content.length * 9, 'thinking', { content }))
}

/** A call whose input is written before one's eyes. Its result is a step of its own. */
export function writtenCall(id: string, name: string, input: JsonObject): readonly Step[] {
  const pieces = JSON.stringify(input).match(/[\s\S]{1,48}/gu) ?? []
  return [
    line(250, 'tool_call_start', { id, name }),
    ...pieces.map((text) => added(45, { type: 'tool-input-delta', callId: id, text })),
    line(60, 'tool_use', { id, name, input }),
  ]
}

interface Command {
  readonly id: string
  readonly command: string
  /** What it prints, a line at a time. */
  readonly prints: readonly string[]
  readonly exitCode: number
  /** The pause before each line. */
  readonly every: number
}

/** A command that prints while it runs, and how far it has come. */
export function command({ id, command: text, prints, exitCode, every }: Command): readonly Step[] {
  const isBad = exitCode !== 0
  return [
    line(350, 'tool_use', { id, name: 'shell', input: { command: text } }),
    ...printed(id, prints, every),
    line(every, 'tool_result', { tool_use_id: id, ...(isBad && { is_error: true }), output: { exit_code: exitCode } }),
  ]
}

function printed(callId: string, prints: readonly string[], every: number): readonly Step[] {
  return prints.map((text, index) =>
    added(every, {
      type: 'tool-progress',
      callId,
      channel: 'stdout',
      text: `${text}\n`,
      percent: Math.round(((index + 1) / (prints.length + 1)) * 100),
    }),
  )
}

/** A command of a subagent: lines cannot say who has printed them. */
export function commandOf(agentId: string, { id, command: text, prints, exitCode, every }: Command): readonly Step[] {
  const input = { command: text }
  return [
    added(
      350,
      { type: 'tool-start', callId: id, name: 'shell', runBy: 'agent', agentId },
      { type: 'tool-input', callId: id, input, agentId },
    ),
    ...printed(id, prints, every),
    added(every, {
      type: 'tool-output',
      callId: id,
      status: exitCode === 0 ? 'ok' : 'error',
      output: { exit_code: exitCode },
      agentId,
    }),
  ]
}
