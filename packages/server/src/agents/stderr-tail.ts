const MOST = 64 * 1024

export interface StderrTail {
  push(text: string): void
  /** At most the last 64 Ki characters, without escape sequences and without the secrets. */
  text(): string
  lastLines(count: number): string
}

/** Keeps the end of what a program prints beside its stream. */
export function createStderrTail(secrets: readonly string[]): StderrTail {
  let kept = ''

  const clean = () => secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), withoutEscapes(kept))

  return {
    push(text) {
      kept += text
      // Secrets leave before anything is cut: half a secret would not be found any more.
      if (kept.length > 2 * MOST) kept = clean().slice(-MOST)
    },
    text: () => clean().slice(-MOST),
    lastLines: (count) => clean().slice(-MOST).trimEnd().split('\n').slice(-count).join('\n'),
  }
}

const ESCAPES =
  /\x1b\[[0-?]*[ -/]*[@-~]?|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b[ -/]*[0-~]?/g
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

const withoutEscapes = (text: string) => text.replace(ESCAPES, '').replace(CONTROLS, '')
