import type { Input } from './input.ts'
import type { Talk } from './talk.ts'

/** How far the reading has come, on one line of the terminal that is drawn again and again and cleared at the end. */
export interface Progress {
  /** That many bytes more have been read. */
  advance(bytes: number): void
  /** Takes the line away, for the end or for other text; the next `advance` may draw it again. */
  clear(): void
}

interface Screen {
  write(text: string): unknown
  readonly columns?: number
}

const REDRAW_AFTER = 100
const BAR_WIDTH = 24
const CLEAR_LINE = '\r\x1b[2K'

const noProgress: Progress = { advance: () => {}, clear: () => {} }

/** The input with a progress line that follows its reading, where there is a terminal to draw it on. */
export function watched(input: Input, { quiet, json }: Talk): { readonly input: Input; readonly progress: Progress } {
  if (process.stderr.isTTY !== true || quiet || json) return { input, progress: noProgress }
  const progress = createProgress(input, process.stderr, () => performance.now())
  process.once('exit', progress.clear)
  return {
    progress,
    input: {
      ...input,
      async read() {
        const bytes = await input.read()
        progress.advance(bytes?.length ?? 0)
        return bytes
      },
    },
  }
}

/** `now` is in milliseconds. Nothing is drawn within the first moment: what is done by then needs no bar. */
export function createProgress({ size }: Pick<Input, 'size'>, screen: Screen, now: () => number): Progress {
  let read = 0
  let drawnAt = now()
  let isShown = false
  return {
    advance(bytes) {
      read += bytes
      if (now() - drawnAt < REDRAW_AFTER) return
      drawnAt = now()
      isShown = true
      // A terminal that does not know its width says 0.
      screen.write(CLEAR_LINE + lineOf(read, size).slice(0, (screen.columns || 80) - 1))
    },
    clear() {
      if (isShown) screen.write(CLEAR_LINE)
      isShown = false
    },
  }
}

function lineOf(read: number, size: number | undefined): string {
  if (size === undefined || size === 0) return `${megabytes(read)} MB read`
  const share = Math.min(1, read / size)
  const filled = Math.round(share * BAR_WIDTH)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${megabytes(read)} of ${megabytes(size)} MB`
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
