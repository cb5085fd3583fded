import type { ChatEvent, Segment } from '@millrace/core/fold'

/** The current time of the example: counters count up to it. */
export const NOW = Date.UTC(2026, 10, 16, 9, 41, 12)

let nextSeq = 1

/** The times and entries of a segment that began so long ago and, if it has ended, took so long. */
function timed(agoMs: number, tookMs?: number) {
  const startedAt = NOW - agoMs
  const seq = nextSeq++
  return { startedAt, seqs: [seq, seq] as const, ...(tookMs !== undefined && { endedAt: startedAt + tookMs }) }
}

function message(id: string, segments: readonly Segment[], fields: Partial<ChatEvent> = {}): ChatEvent {
  const seqs = [segments[0]?.seqs[0] ?? 1, segments.at(-1)?.seqs[1] ?? 1] as const
  const startedAt = segments[0]?.startedAt ?? NOW
  return { id, runId: 'lauf', role: 'assistant', state: 'done', segments, startedAt, endedAt: NOW, seqs, ...fields }
}

const text = (content: string): Segment => ({
  type: 'text',
  id: `text-${nextSeq}`,
  text: content,
  state: 'done',
  ...timed(60_000, 2000),
})

const call = (name: string, fields: object): Segment => ({
  type: 'tool',
  callId: `call-${nextSeq}`,
  name,
  runBy: 'agent',
  state: 'done',
  ...timed(80_000, 1400),
  ...fields,
})

const order = {
  number: '4711',
  carrier: 'Alpenkurier',
  steps: [
    { name: 'Verpackt', at: 'Fr., 13. Nov.', isDone: true },
    { name: 'Unterwegs', at: 'Sa., 14. Nov.', isDone: true },
    { name: 'In Zustellung', at: 'heute', isDone: false },
    { name: 'Zugestellt', at: 'bis 18 Uhr', isDone: false },
  ],
}

const answer = `Ihr Paket ist **unterwegs** und kommt heute bis 18 Uhr. Eine Dose Sencha war leider beschädigt und fehlt:

- **Sencha Uji, 100 g** schicken wir kostenlos nach.
- Die Versandkosten von **4,90 €** erstatten wir, sobald Sie zustimmen.`

/** A conversation that has ended its first run and waits in its second. */
export const conversation: readonly ChatEvent[] = [
  message('frage', [text('Wo bleibt meine Bestellung 4711? Und warum steht auf der Rechnung Versand?')], {
    role: 'user',
    by: 'server',
  }),
  message(
    'antwort',
    [
      {
        type: 'status',
        lines: [
          { message: 'Kundenkonto geöffnet', level: 'info', at: NOW - 90_000 },
          { message: 'Lager antwortet langsam', level: 'warn', at: NOW - 88_000 },
        ],
        ...timed(90_000, 4000),
      },
      {
        type: 'reasoning',
        id: 'gedanke',
        text: 'Erst die Sendung, dann die Rechnung.',
        state: 'done',
        ...timed(85_000, 9400),
      },
      call('mcp__shop__track_order', { input: { order: '4711' }, output: order }),
      ...['rechnung.pdf', 'agb.md', 'versand.md'].map((path) => call('Read', { input: { path }, output: 'a\nb\nc' })),
      call('Bash', { input: { command: 'lager suche sencha' }, state: 'failed', error: 'exit code 3' }),
      text(answer),
      { type: 'source', sourceId: 's1', kind: 'url', url: 'https://alpenkurier.example/4711', ...timed(50_000, 0) },
    ],
    { model: 'teekenner', usage: { inputTokens: 12_400, outputTokens: 860, costUsd: 0.0241 }, runId: 'lauf-1' },
  ),
  message('weiter', [text('Gut, bitte so machen.')], { role: 'user', by: 'server', runId: 'lauf-2' }),
  message(
    'offen',
    [
      {
        type: 'todos',
        listId: 'plan',
        items: [
          { id: '1', content: 'Sencha nachschicken', status: 'completed' },
          { id: '2', content: 'Versandkosten erstatten', status: 'in_progress' },
          { id: '3', content: 'Bestätigung senden', status: 'pending' },
        ],
        ...timed(20_000, 0),
      },
      call('Erstattung', {
        state: 'approval',
        input: { betrag: '4,90 €', bestellung: '4711' },
        approval: { approvalId: 'a1', state: 'requested' },
        ...timed(15_000),
        endedAt: undefined,
      }),
      { type: 'reasoning', id: 'jetzt', text: 'Danach die Bestätigung.', state: 'live', ...timed(6000) },
    ],
    { state: 'live', runId: 'lauf-2' },
  ),
]
