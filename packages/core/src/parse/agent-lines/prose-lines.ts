import { type Handlers, SILENT } from '../parser.ts'
import { prose } from './implicit-blocks.ts'
import type { ProseLine, StatusLine } from './lines.ts'
import type { Seen } from './seen.ts'

export function proseLines(seen: Seen): Handlers<ProseLine> {
  return {
    text: ({ data }) => prose('text', data.content),
    delta: ({ data }) => prose('text', data.content),
    content: ({ data }) => prose('text', data.text),
    thinking: ({ data }) => prose('reasoning', wholeLine(data.content), 'thinking'),
    think({ data }) {
      const thought = prose('reasoning', wholeLine(data.thought), 'think-tool')
      if (!data.id || !seen.isOpen(data.id)) return thought
      return [{ type: 'tool-input', callId: data.id, input: { thought: data.thought } }, ...thought]
    },
  }
}

/** Each line is one thought, with or without a newline at its end. */
function wholeLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

export const statusLines: Handlers<StatusLine> = {
  status: ({ data }) => (data.message === '' ? SILENT : [{ type: 'status', message: data.message, level: 'info' }]),
  warning: ({ data }) => (data.message === '' ? SILENT : [{ type: 'status', message: data.message, level: 'warn' }]),
  search_corrected: ({ data }) => [
    { type: 'status', message: 'Search corrected: '.concat(data.query.trim()), level: 'info' },
  ],
}
