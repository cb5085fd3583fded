/** Strokes on a 16 px square: the icons of the app. */
const shapes = {
  'arrow-down': ['M8 3v10M4 9l4 4 4-4'],
  'arrow-up': ['M8 13V3M4 7l4-4 4 4'],
  ask: ['M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z', 'M8 5v3.4', 'M8 10.8v.1'],
  bolt: ['M8.8 1.8 3.5 9h4l-.7 5.2L12.5 7h-4z'],
  check: ['M3.5 8.5 6.5 11.5 12.5 4.8'],
  chevron: ['M4.5 6.5 8 10l3.5-3.5'],
  clip: ['M12.6 7.6 8 12.2a2.9 2.9 0 0 1-4.1-4.1l5-5a1.9 1.9 0 0 1 2.7 2.7l-5 5a.95.95 0 0 1-1.35-1.35l4.5-4.5'],
  clock: ['M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z', 'M8 4.8V8l2.2 1.6'],
  code: ['M5.5 4.5 2 8l3.5 3.5', 'M10.5 4.5 14 8l-3.5 3.5'],
  copy: [
    'M6 5.5h6.5a1 1 0 0 1 1 1V13a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6.5a1 1 0 0 1 1-1z',
    'M3.5 10.5A1 1 0 0 1 2.5 9.5V3a1 1 0 0 1 1-1H10a1 1 0 0 1 1 1',
  ],
  cross: ['M4 4 12 12M12 4 4 12'],
  failed: ['M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z', 'M6 6 10 10M10 6 6 10'],
  file: ['M4 2h5l3 3v9H4z', 'M9 2v3h3'],
  'handed-over': ['M2.5 8h8M7.5 5l3 3-3 3', 'M13.5 3v10'],
  import: ['M8 2v8M4.8 7 8 10.2 11.2 7', 'M2.5 10.5v2a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-2'],
  key: ['M5.5 13a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z', 'M7.4 8.7 13 3M10.5 5.5l2 2'],
  left: ['M9.8 4 5.8 8l4 4'],
  leak: ['M8 2.2c2.2 2.7 4 4.9 4 7.2a4 4 0 0 1-8 0c0-2.3 1.8-4.5 4-7.2z'],
  menu: ['M3 5h10M3 11h10'],
  moon: ['M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z'],
  pencil: ['M10.8 2.7 13.3 5.2 5.5 13 2.5 13.5 3 10.5z', 'M9.3 4.2 11.8 6.7'],
  plug: ['M5.5 2v3M10.5 2v3', 'M3.8 5h8.4v2.6a4.2 4.2 0 0 1-8.4 0z', 'M8 11.8V14'],
  play: ['M5 3.2 12.5 8 5 12.8z'],
  process: ['M2.5 3.5h11v9h-11z', 'M5 6.5 7 8.2 5 10M8.5 10.2h2.6'],
  panes: ['M3 3h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z', 'M9.5 3v10'],
  pin: ['M6 2.5h4l-.5 4 2 2.2h-7l2-2.2z', 'M8 8.7v4.8'],
  rail: ['M3 3h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z', 'M6.5 3v10'],
  record: ['M3.5 2.5h6l3 3v8h-9z', 'M9.5 2.5v3h3', 'M6 10.5h.1M8 10.5h.1M10 10.5h.1'],
  retry: ['M13 8a5 5 0 1 1-1.6-3.7', 'M13.2 2.2v2.9h-2.9'],
  right: ['M6.2 4 10.2 8l-4 4'],
  search: ['M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9z', 'M10.3 10.3 13.5 13.5'],
  shield: ['M8 2 13 3.8V8c0 3-2.1 5-5 6-2.9-1-5-3-5-6V3.8z', 'M5.8 8 7.4 9.6 10.4 6.4'],
  'sign-out': ['M6.5 13.5H3.8a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1h2.7', 'M10.3 11.2 13.5 8l-3.2-3.2M13.2 8H6.5'],
  slash: ['M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z', 'M5.5 8h5'],
  sun: [
    'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6z',
    'M8 1.6v1.2M8 13.2v1.2M1.6 8h1.2M13.2 8h1.2M3.5 3.5l.8.8M11.7 11.7l.8.8M3.5 12.5l.8-.8M11.7 4.3l.8-.8',
  ],
  system: ['M2.5 3.5h11v7.5h-11z', 'M6 13.5h4M8 11v2.5'],
  warning: ['M8 2.2 14.3 13a.6.6 0 0 1-.5.9H2.2a.6.6 0 0 1-.5-.9z', 'M8 6.4v3.2', 'M8 11.6v.1'],
  wires: ['M3 8h3.2M9.8 4H13M9.8 12H13M6.2 8c2.4 0 1.2-4 3.6-4M6.2 8c2.4 0 1.2 4 3.6 4M6.2 8H13'],
} as const

export type IconName = keyof typeof shapes

/** Decoration only: its meaning is also given in words. */
export function Icon({ name, className = '' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg className={`mr-icon icon-${name} ${className}`.trim()} viewBox="0 0 16 16" aria-hidden="true">
      {shapes[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}

export function Wordmark() {
  return (
    <span className="wordmark">
      <svg viewBox="0 0 18 18" aria-hidden="true">
        <path d="M2 5c2.3-2 4.7-2 7 0s4.7 2 7 0M2 9.5c2.3-2 4.7-2 7 0s4.7 2 7 0M2 14c2.3-2 4.7-2 7 0s4.7 2 7 0" />
      </svg>
      Millrace
    </span>
  )
}
