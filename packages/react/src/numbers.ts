import type { CountLabel, Labels } from './labels.ts'

/** The part of the labels that decides how numbers are written. */
export type NumberLabels = Pick<Labels, 'locale' | 'seconds' | 'minutes' | 'hours' | 'size' | 'thousands' | 'millions'>

const formats = new Map<string, Intl.NumberFormat>()

/** A number in the labels' locale, with exactly this many decimals. Formats are kept: to make one is expensive. */
export function numberText(value: number, { locale = 'en' }: NumberLabels, decimals = 0): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return kept(`${locale} ${decimals}`, () => new Intl.NumberFormat(locale, digits)).format(value)
}

/** `$0.35`, in the labels' locale. Small amounts have more decimals. */
export function costText(costUsd: number, { locale = 'en' }: NumberLabels): string {
  const decimals = costUsd < 0.1 ? 4 : 2
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const make = () => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', ...digits })
  return kept(`${locale} ${decimals} USD`, make).format(costUsd)
}

function kept(key: string, make: () => Intl.NumberFormat): Intl.NumberFormat {
  const format = formats.get(key) ?? make()
  formats.set(key, format)
  return format
}

/** The label of a count: `7 lines`. */
export function countText(count: number, label: CountLabel, labels: NumberLabels): string {
  return label(count, numberText(count, labels))
}

/** `999`, `1.0k`, `2.4M`. */
export function shortCount(count: number, labels: NumberLabels): string {
  if (count < 1000) return numberText(count, labels)
  if (count < 999_950) return labels.thousands(numberText(count / 1000, labels, 1))
  return labels.millions(numberText(count / 1_000_000, labels, 1))
}

/** `312 B`, `1.1 KB`, `2.4 MB`. */
export function bytesText(count: number, labels: NumberLabels): string {
  if (count < 1000) return labels.size(numberText(count, labels), 'B')
  const [value, unit] = count < 999_500 ? ([count / 1000, 'KB'] as const) : ([count / 1_000_000, 'MB'] as const)
  return labels.size(numberText(value, labels, value < 9.95 ? 1 : 0), unit)
}

/** The time of day of the reader, as the locale writes it; without a locale `14:02`. */
export function timeText(at: number, { locale = 'en-GB' }: NumberLabels): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(at)
}
