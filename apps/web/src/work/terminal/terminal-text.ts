import type { Command } from '@millrace/core/work'
import { plainText } from '@millrace/react'

/** What a command wrote, as one text; what it wrote on different channels begins on lines of its own. */
export function outputOf({ chunks }: Command): string {
  return chunks.reduce((text, chunk) => {
    const separator = text === '' || text.endsWith('\n') || chunk.text.startsWith('\n') ? '' : '\n'
    return text + separator + chunk.text
  }, '')
}

/** All commands as one text, without colours. */
export function terminalText(commands: readonly Command[]): string {
  return commands
    .map((command) => {
      const output = withoutLastBreaks(plainText(outputOf(command)))
      return `${command.prompt} ${command.text}${output === '' ? '' : `\n${output}`}\n`
    })
    .join('\n')
}

/** The text up to its last line that is not empty. A pattern would take quadratic time on a text of many empty lines. */
function withoutLastBreaks(text: string): string {
  let end = text.length
  while (text[end - 1] === '\n') end--
  return text.slice(0, end)
}
