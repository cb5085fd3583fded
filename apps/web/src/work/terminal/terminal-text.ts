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
      const output = plainText(outputOf(command)).replace(/\n+$/, '')
      return `${command.prompt} ${command.text}${output === '' ? '' : `\n${output}`}\n`
    })
    .join('\n')
}
