import type { Input } from './input.ts'
import type { Messages } from './messages.ts'

/** One line of the terminal that shows how much was read. It is redrawn, and cleared at the end. */
export interface ProgressBar {
  /** Adds bytes that have been read. */
  advance(bytes: number): void
  /** Removes the line, at the end or before other text; the next `advance` may draw it again. */
  clear(): void
}

interface Screen {
  write(text: string): unknown
  readonly columns?: number
}

const REDRAW_AFTER = 100
const BAR_WIDTH = 24
const CLEAR_LINE = '\r\x1b[2K'

const hiddenBar: ProgressBar = { advance: () => {}, clear: () => {} }

/** The input with a bar that follows its reads. It is hidden unless stderr is a terminal, and with `-q` or `--json`. */
export function withProgressBar(
  input: Input,
  { quiet, json }: Messages,
): { readonly input: Input; readonly progressBar: ProgressBar } {
  if (process.stderr.isTTY !== true || quiet || json) return { input, progressBar: hiddenBar }
  const progressBar = createProgressBar(input, process.stderr, () => performance.now())
  process.once('exit', progressBar.clear)
  return {
    progressBar,
    input: {
      ...input,
      async read() {
        const bytes = await input.read()
        progressBar.advance(bytes?.length ?? 0)
        return bytes
      },
    },
  }
}

/** `now` is in milliseconds. Nothing is drawn in the first 100 ms: shorter work needs no bar. */
export function createProgressBar({ size }: Pick<Input, 'size'>, screen: Screen, now: () => number): ProgressBar {
  let read = 0
  let drawnAt = now()
  let isShown = false
  return {
    advance(bytes) {
      read += bytes
      if (now() - drawnAt < REDRAW_AFTER) return
      drawnAt = now()
      isShown = true
      // A terminal of unknown width reports 0.
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
