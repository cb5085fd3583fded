/** One line that a person has typed for a shell. */
export interface ShellCommand {
  readonly text: string
  /** Its line ends in `&`: the next ones do not wait for it. */
  readonly isBackground: boolean
}

/** The commands of a message: one a line, without comments, prompts and the fences of code. A `\` at the end joins two lines. */
export function commandsIn(text: string): readonly ShellCommand[] {
  return text
    .replaceAll(/\\\r?\n/g, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().replace(/^\$\s+/, ''))
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('```'))
    .map((line) => {
      const [, command] = /^(.*[^&\s])\s*&$/.exec(line) ?? []
      return { text: command ?? line, isBackground: command !== undefined }
    })
}
