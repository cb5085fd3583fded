/** `312`, `9.3k`, `79.6k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 1_000) return String(count)
  const [value, unit] = count < 999_500 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M']
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)}${unit}`
}

/** `$0.35`; what is less than a cent is said as such. */
export function costText(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return '<$0.01'
  return `$${dollars.toFixed(2)}`
}

/** `#1,284`. */
export const seqText = (seq: number): string => `#${seq.toLocaleString('en')}`
