/**
 * Whether two values are the same JSON. Their fields may have another order, as those of an event that another version
 * wrote; one with the same order is recognised by its text alone, which is the usual case.
 */
export function isSameJson(one: object, other: object): boolean {
  const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)]
  return text === otherText || isSame(JSON.parse(text), JSON.parse(otherText))
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  const fields = one as { readonly [key: string]: unknown }
  const otherFields = other as { readonly [key: string]: unknown }
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSame(fields[key], otherFields[key]))
}
