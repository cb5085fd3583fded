/** Strokes on a 16 px square. */
const shapes = {
  alert: ['M8 2.2 14.3 13a.6.6 0 0 1-.5.9H2.2a.6.6 0 0 1-.5-.9z', 'M8 6.4v3.2', 'M8 11.6v.1'],
  ask: ['M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z', 'M8 5v3.4', 'M8 10.8v.1'],
  brain: [
    'M8 4v8.6',
    'M8 4.1a2 2 0 0 0-3.9-.4 2.5 2.5 0 0 0-1.6 3.9 2.5 2.5 0 0 0 .8 4 2.5 2.5 0 0 0 4.7 1',
    'M8 4.1a2 2 0 0 1 3.9-.4 2.5 2.5 0 0 1 1.6 3.9 2.5 2.5 0 0 1-.8 4 2.5 2.5 0 0 1-4.7 1',
    'M4.8 8.3a2 2 0 0 1 1.5.9M11.2 8.3a2 2 0 0 0-1.5.9',
  ],
  branch: [
    'M4 5.2v3.3A2.5 2.5 0 0 0 6.5 11h3.7',
    'M4 5.2a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2z',
    'M11.8 12.6a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2z',
  ],
  check: ['M3.5 8.5 6.5 11.5 12.5 4.8'],
  chevron: ['M6.2 4 10.2 8l-4 4'],
  circle: ['M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z'],
  copy: [
    'M6 5.5h6.5a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6.5a1 1 0 0 1 1-1z',
    'M3.5 10.5A1 1 0 0 1 2.5 9.5V3a1 1 0 0 1 1-1H10a1 1 0 0 1 1 1',
  ],
  cross: ['M4 4 12 12M12 4 4 12'],
  'cross-circle': ['M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z', 'M6 6 10 10M10 6 6 10'],
  cut: [
    'M8 2.5a5.5 5.5 0 0 1 5.3 4M13.3 9.5A5.5 5.5 0 0 1 8 13.5M5 12.6A5.5 5.5 0 0 1 2.5 8M3.5 5A5.5 5.5 0 0 1 5 3.4',
  ],
  done: ['M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z', 'M5.4 8.2 7.2 10 10.7 6.2'],
  dots: ['M3.5 8v.1M8 8v.1M12.5 8v.1'],
  file: ['M9.5 2H4.5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1V5z', 'M9.3 2.2V5.2h3'],
  folder: ['M2 4.5a1 1 0 0 1 1-1h3l1.5 1.8H13a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z'],
  globe: [
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
    'M2.2 8h11.6',
    'M8 2c1.8 1.7 2.6 3.7 2.6 6S9.8 12.3 8 14C6.2 12.3 5.4 10.3 5.4 8S6.2 3.7 8 2z',
  ],
  image: [
    'M3 3h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z',
    'M2.3 11.5 6 8l2.6 2.6L10.5 9l3.2 2.7',
    'M10.5 6.2v.1',
  ],
  layers: ['M8 2 14 5 8 8 2 5z', 'M2.5 8 8 10.8 13.5 8', 'M2.5 11 8 13.8 13.5 11'],
  list: ['M6 4h7.5M6 8h7.5M6 12h7.5', 'M2.8 4v.1M2.8 8v.1M2.8 12v.1'],
  pencil: ['M10.8 2.7 13.3 5.2 5.5 13 2.5 13.5 3 10.5z', 'M9.3 4.2 11.8 6.7'],
  retry: ['M13.5 8A5.5 5.5 0 1 1 11.7 4', 'M13.5 2.5V5.3H10.7'],
  search: ['M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z', 'M10.3 10.3 13.5 13.5'],
  terminal: [
    'M3 3h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z',
    'M4.8 6.3 6.7 8 4.8 9.7M8.3 10h2.7',
  ],
} as const

export type IconName = keyof typeof shapes

/** Decoration only: its meaning is also given in words. */
export function Icon({ name, className = '' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg className={`mr-icon ${className}`.trim()} viewBox="0 0 16 16" aria-hidden="true">
      {shapes[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}

export function Spinner() {
  return <span className="mr-spinner" aria-hidden="true" />
}
