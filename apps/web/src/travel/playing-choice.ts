import { type HeadView, SPEEDS } from './time-head.ts'

type Choice = Omit<HeadView, 'isPlaying'>

const STORED = 'millrace.playing'
const USUAL: Choice = { speed: 1, skipsSilence: false }

/** The speed, and whether silence is skipped, as they were chosen last in this browser. */
export function chosenPlaying(): Choice {
  try {
    const [speed, skips] = (localStorage.getItem(STORED) ?? '').split(' ')
    return {
      speed: SPEEDS.find((each) => String(each) === speed) ?? USUAL.speed,
      skipsSilence: skips === 'skip',
    }
  } catch {
    return USUAL
  }
}

export function keepPlaying({ speed, skipsSilence }: Choice): void {
  try {
    localStorage.setItem(STORED, `${speed}${skipsSilence ? ' skip' : ''}`)
  } catch {
    // A browser that stores nothing begins as usual.
  }
}
