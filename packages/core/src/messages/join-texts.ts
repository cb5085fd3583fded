/** The texts of a message as one: what was apart stays apart. */
export function joinTexts(texts: readonly string[]): string {
  let joined = ''
  for (const text of texts) {
    const isApart = joined === '' || text === '' || /\s$/.test(joined) || /^\s/.test(text)
    joined += isApart ? text : `\n\n${text}`
  }
  return joined
}
