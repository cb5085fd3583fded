// A program for the dialect `text`: its prompt is all that it hears. It asks without hearing the answer, and prints until it is killed.
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

const say = (type, data = {}) => process.stdout.write(`${JSON.stringify({ type, data })}\n`)
const prompt = (await text(process.stdin)).trim()
if (prompt === 'ask') say('ask', { id: 'question-1', message: 'May I dig?' })
if (prompt === 'ask' || prompt === 'wait') {
  for (;;) {
    say('text', { content: 'On. ' })
    await sleep(20)
  }
}
say('text', { content: `You said ${prompt}.` })
say('done')
