import type { CountLabel, Labels } from '@millrace/react'
import { germanChat } from './german-chat.ts'

/** The number with the singular or the plural. */
const counted =
  (one: string, many: string): CountLabel =>
  (count, shown) =>
    `${shown} ${count === 1 ? one : many}`

/** What was done with a number of things: “7 Dateien gelesen”. */
const done =
  (one: string, many: string, verb: string): CountLabel =>
  (count, shown) =>
    `${count === 1 ? one : `${shown} ${many}`} ${verb}`

const often =
  (verb: string): CountLabel =>
  (count, shown) =>
    `${count === 1 ? 'einmal' : `${shown}-mal`} ${verb}`

const channels: { readonly [channel: string]: string } = {
  stdout: 'Ausgabe',
  stderr: 'Fehlerausgabe',
  text: 'Text',
  data: 'Daten',
  output: 'Ergebnis',
  error: 'Fehler',
}

const answers = { approved: 'genehmigt', denied: 'abgelehnt', answered: 'beantwortet' } as const
const makers = { server: 'von Ihnen', client: 'vom Programm' } as const
const endings = { done: 'fertig', failed: 'gescheitert', cancelled: 'gestoppt', interrupted: 'unterbrochen' } as const

/** Every text of the views in German: with the type `Labels`, one that is left out does not compile. */
export const german: Labels = {
  locale: 'de-DE',
  ...germanChat,

  seconds: (seconds) => `${seconds} s`,
  minutes: (minutes, seconds) => `${minutes} min ${seconds} s`,
  hours: (hours, minutes) => `${hours} h ${minutes} min`,
  size: (amount, unit) => `${amount} ${unit === 'B' ? 'Byte' : unit}`,
  thousands: (amount) => `${amount} Tsd.`,
  millions: (amount) => `${amount} Mio.`,
  percent: (amount) => `${amount} %`,
  tokensIn: (amount) => `${amount} gelesen`,
  modelTurns: (count) => (count === '1' ? '1 Runde' : `${count} Runden`),
  tokensOut: (amount) => `${amount} geschrieben`,

  usageBySteps: 'Verbrauch je Schritt',
  step: (number) => `Schritt ${number}`,
  columnStep: 'Schritt',
  columnInput: 'Gelesen',
  columnCached: 'Gemerkt',
  columnOutput: 'Geschrieben',
  columnCost: 'Kosten',

  you: 'Sie',
  user: 'Nutzer',
  messageWithdrawn: 'Nachricht zurückgezogen und ersetzt',
  refused: 'Verweigert',
  answerWritten: 'Antwort geschrieben',

  processing: 'In Arbeit …',
  processed: 'Erledigt',
  processedIn: (duration) => `Erledigt in ${duration}`,
  warning: 'Warnung: ',
  error: 'Fehler: ',
  thinking: 'Denkt nach …',
  thought: 'Nachgedacht',
  thoughtFor: (duration) => `${duration} nachgedacht`,
  thoughtHidden: 'vom Anbieter verborgen',
  thoughtInterrupted: 'unterbrochen',
  thoughtPlan: 'ein Plan',
  thoughtSummary: 'eine Zusammenfassung',

  usingTool: (name) => `${name} läuft …`,
  writingInput: 'schreibt die Eingabe',
  toolInput: (name) => `${name}, Eingabe`,
  toolOutput: (name, channel) => `${name}, ${channels[channel] ?? channel}`,
  fileContent: (path) => `${path}, Inhalt`,
  changes: 'Änderungen',
  exit: (code) => `Ende mit ${code}`,
  failed: 'gescheitert',
  denied: 'abgelehnt',
  stopped: 'gestoppt',
  stoppedByYou: 'von Ihnen gestoppt',
  noResult: 'kein Ergebnis',
  toolFinished: (name) => `${name} ist fertig`,
  toolFailed: (name) => `${name} ist gescheitert`,
  toolDenied: (name) => `${name} wurde abgelehnt`,
  toolStopped: (name) => `${name} wurde gestoppt`,
  lines: counted('Zeile', 'Zeilen'),
  matches: counted('Fundstelle', 'Fundstellen'),
  results: counted('Treffer', 'Treffer'),
  entries: counted('Eintrag', 'Einträge'),
  tools: counted('Werkzeug', 'Werkzeuge'),
  more: (_, shown) => `${shown} weitere`,
  toolCounts: {
    command: done('einen Befehl', 'Befehle', 'ausgeführt'),
    code: often('Code ausgeführt'),
    read: done('eine Datei', 'Dateien', 'gelesen'),
    edit: done('eine Datei', 'Dateien', 'geändert'),
    write: done('eine Datei', 'Dateien', 'geschrieben'),
    search: often('gesucht'),
    list: done('einen Ordner', 'Ordner', 'aufgelistet'),
    web: often('im Netz gesucht'),
    fetch: done('eine Seite', 'Seiten', 'geladen'),
    other: done('ein anderes Werkzeug', 'andere Werkzeuge', 'benutzt'),
  },
  usedTool: (name, count, shown) => `${name} ${count === 1 ? '' : `${shown}-mal `}benutzt`,
  toolSummary: (parts) => parts.join(', ').replace(/^./u, (first) => first.toUpperCase()),

  approveTool: (name) => `${name} genehmigen?`,
  approveCalls: (_, shown) => `${shown} Aufrufe genehmigen?`,
  approveAll: (_, shown) => `${shown} genehmigen`,
  sameTool: (name) => `alle von ${name}: eine Antwort oder jede für sich`,
  oneByOne: 'Einzeln',
  approvalNeeded: (name) => `Genehmigung nötig: ${name}`,
  answerNeeded: 'Ihre Antwort ist nötig',
  runWaits: 'Der Lauf wartet auf Ihre Antwort.',
  waitingFor: (duration) => `wartet seit ${duration}`,
  approve: 'Genehmigen',
  approveKey: 'G',
  deny: 'Ablehnen',
  denyKey: 'A',
  denyAndSay: 'Ablehnen und sagen',
  denyAndSayKey: 'E',
  denyWords: 'Was der Agent stattdessen tun soll',
  edit: 'Bearbeiten',
  cancel: 'Abbrechen',
  changedInput: 'Geänderte Eingabe',
  approveChanged: 'Änderung genehmigen',
  notJson: (problem) => `Das ist kein gültiges JSON: ${problem}`,
  rememberForSession: 'In dieser Sitzung immer erlauben',
  withChanges: 'geändert',
  forSession: 'für die Sitzung',
  approvedInput: 'Wie es genehmigt wurde',
  question: 'Frage',
  whatIsAsked: 'Was gefragt wird',
  questionAndAnswer: 'Frage und Antwort',
  notAnswered: 'nicht beantwortet',
  expired: 'verfallen',
  answered: (state, by) => `${answers[state]} ${by === undefined ? 'im Verlauf' : makers[by]}`,

  plan: 'Vorhaben',
  planDone: (completed, all) => `${completed} von ${all}`,
  todoStatus: { pending: 'Offen: ', in_progress: 'Jetzt: ', completed: 'Fertig: ', cancelled: 'Entfällt: ' },
  subagent: 'Helfer',
  running: 'läuft',
  interrupted: 'unterbrochen',
  subagentEnded: (name, state) => `${name}: ${endings[state]}`,

  recoveredError: 'Fehler',
  runFailed: 'Der Lauf endete mit einem Fehler',
  keptUpTo: (seq) => `Alles bis Nr. ${seq} bleibt erhalten.`,
  continueFromHere: 'Hier fortsetzen',
  cut: 'Unterbrochen',
  cutByYou: 'Von Ihnen angehalten',
  cutAt: (seq) => `bei Nr. ${seq} · alles davor bleibt erhalten`,
  continue: 'Fortsetzen',

  citations: 'Belege',
  footnotes: 'Fußnoten',
  table: 'Tabelle',
  plainCode: 'Text',
  code: (language) => `Code, ${language}`,
  copyCode: 'Code kopieren',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyingFailed: 'Kopieren gescheitert',
  showLines: (count, shown) => `${shown} weitere ${count === 1 ? 'Zeile' : 'Zeilen'} zeigen`,
  showWholeLines: 'Ganze Zeilen zeigen',
  shownAsWritten: 'Wie geschrieben: nicht formatiert',
  textAsWritten: 'Text, wie er geschrieben ist',
  asJson: (name) => `${name}, als JSON`,

  pictures: 'Bilder',
  sources: 'Quellen',
  filesAndSources: 'Dateien und Quellen',
  image: 'Bild',
  openImage: 'Bild öffnen',
  enlarge: (name) => `${name} vergrößern`,
  download: 'Herunterladen',
  close: 'Schließen',
}
