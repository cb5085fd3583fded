const LONGEST = 160

/** What a person wrote, as text inside Markdown: on one line, and not too long. */
export function plain(text: string): string {
  const line = [...text.replace(/\s+/g, ' ').trim()]
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST).join('')}…` : line.join('')
  return cut.replace(/[\\`*_[\]<>|~&$]/g, '\\$&')
}
