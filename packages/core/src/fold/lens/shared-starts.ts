/** A start that is shorter than this is shown. */
const LEAST = 16

/**
 * How much of a record's text is the start of the record before or after it, too, and need not be read again: up to the last
 * place at which a value or a field begins. 0 if it is too little to matter.
 */
export function sharedStart(text: string, before: string | undefined, after: string | undefined): number {
  const common = Math.max(commonLength(text, before), commonLength(text, after))
  if (common < LEAST) return 0
  const cut = text.slice(0, common).search(/[,:{[][^,:{[]*$/) + 1
  return cut < LEAST || cut >= text.length ? 0 : cut
}

function commonLength(one: string, other: string | undefined): number {
  if (other === undefined) return 0
  const end = Math.min(one.length, other.length)
  let length = 0
  while (length < end && one.charCodeAt(length) === other.charCodeAt(length)) length++
  return length
}
