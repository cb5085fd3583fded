/** The files of the story, as its agent finds and writes them. */
export const before = {
  sluice: `import { readLevel } from './level'
import type { Gate } from './gate'

/** How far one turn of the wheel lifts the gate, in centimetres. */
export const LIFT = 4
export const SLACK = 0.5

export function isOpen(gate: Gate): boolean {
  return gate.height > SLACK
}

export function openSluice(gate: Gate): () => void {
  const wheel = gate.wheel
  const opensAt = 90
  gate.setMode('manual')

  function lift(steps: number) {
    return wheel.turn(steps * LIFT)
  }

  const level = readLevel()
  // TODO: close again
  if (level > opensAt) lift(STEPS)

  return () => gate.close()
}

export function closeSluice(gate: Gate): void {
  while (isOpen(gate)) gate.wheel.turn(-LIFT)
}

export function describeGate(gate: Gate): string {
  const height = gate.height.toFixed(1)
  return isOpen(gate) ? \`open, \${height} cm\` : 'closed'
}

/** What the inspector wants to know. */
export function inspect(gate: Gate) {
  return { gate: describeGate(gate), lift: LIFT, slack: SLACK }
}

export const RETRY = 'again'
export const STEPS = 8
`,
  level: `/** The level of the water, in centimetres. */
export function readLevel(): number {
  // see opensAt
  const raw = sensor.read()
  return raw
}
`,
  test: `import { expect, it } from 'vitest'
import { openSluice } from '../src/gate/sluice'

it('opens the gate in time', () => {
  const gate = fakeGate({ level: 85 })
  openSluice(gate)
  expect(gate.height).toBeGreaterThan(3)
})
`,
} as const

/** A page with a style, a script, a picture of another host, and a form: all but the style is off in a preview. */
export const report = `<!doctype html>
<title>Levels</title>
<style>
  body { margin: 24px; font: 14px/1.5 system-ui, sans-serif; color: #14181c; }
  h1 { font-size: 20px; margin: 0 0 4px; }
  .bars { display: flex; align-items: end; gap: 6px; height: 140px; border-bottom: 1px solid #d2d8dc; margin: 20px 0; }
  .bars i { flex: 1; background: #0a6c7e; }
  .bars .high { background: #b42c22; }
  td { padding: 4px 24px 4px 0; }
</style>
<p style="color:#5f6871">levels.csv · 1,440 levels</p>
<h1>The water is high before the gate opens</h1>
<p>One level in seven is above 80 cm, and the gate opens at 90 cm.</p>
<div class="bars">${[12, 20, 34, 52, 70, 96, 120, 104, 78, 60, 44].map((height, index) => `<i style="height:${height}px"${index > 7 ? ' class="high"' : ''}></i>`).join('')}</div>
<table><tr><td>below 80 cm</td><td>1,228</td></tr><tr><td>80 to 90 cm</td><td>171</td></tr><tr><td>above 90 cm</td><td>41</td></tr></table>
<img src="https://example.org/pixel.png" alt="">
<form action="https://example.org/steal"><button>Send</button></form>
<script>document.title = 'ran'; parent.postMessage('ran', '*')</script>
`
