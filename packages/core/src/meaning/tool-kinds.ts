import { isJsonObject, isText, type Json, type JsonObject } from '../json.ts'

/** What a call does, whichever agent made it. */
export type ToolKind =
  | 'read'
  | 'search'
  | 'edit'
  | 'write'
  | 'delete'
  | 'move'
  | 'run'
  | 'cell'
  | 'continue'
  | 'fetch'
  | 'think'
  | 'plan'
  | 'subagent'
  | 'ask'
  | 'other'

/** The part of a call that its kind depends on. */
export interface NamedCall {
  readonly name: string
  readonly input?: Json
  readonly meta?: { readonly [provider: string]: JsonObject }
}

/** Names in lower case, with letters and digits only, without the prefix of a server. */
const names: { readonly [Kind in Exclude<ToolKind, 'other'>]: string } = {
  read: `read readfile view viewfile cat openfile getfile readmanyfiles notebookread readfiles viewimage open readtextfile`,
  search: `grep glob search find ripgrep searchfiles searchcode searchfilecontent filesearch codebasesearch grepsearch
    findfiles toolsearch ls list listdir listdirectory listfiles listfolder findfile searchdir semsearch semanticsearch tree
    websearch googlesearch googlewebsearch internetsearch searchweb tavilysearch`,
  edit: `edit multiedit editfile strreplace applypatch replace updatefile filechange notebookedit searchreplace patch
    replaceinfile applydiff replacestringinfile multireplacestringinfile inserteditintofile editor editnotebookfile
    searchandreplace`,
  write: `write writefile createfile savefile writetofile create`,
  delete: `delete deletefile remove removefile`,
  move: `move movefile rename renamefile`,
  run: `bash sh zsh shell terminal exec execcommand execute executecommand runcommand localshell runshellcommand
    commandexecution bashcodeexecution runterminalcmd run powershell executebash runinterminal runcommands shellcommand`,
  cell: `python pythoninterpreter pythonrepl pythonreplast pythonexec ipython codeinterpreter codeexecution executepython
    executepythoncode executecode runpython runpythoncode repl executeipythoncell`,
  continue: `bashoutput readbash writebash writestdin killshell killbash taskoutput taskstop getterminaloutput`,
  fetch: `fetch webfetch fetchurl httprequest browse openurl visitwebpage urlcontext fetchwebpage`,
  think: `think thinktool reportintent`,
  plan: `todowrite writetodos updateplan taskcreate taskupdate tasklist updatetodos updatetodolist managetodolist
    exitplanmode enterplanmode`,
  subagent: `task agent invokeagent delegatetoagent spawnagent runsubagent newtask usesubagents`,
  ask: `askuserquestion askuser question askfollowupquestion requestuserinput`,
}

const byName: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(names).flatMap(([kind, list]) => list.split(/\s+/).map((name) => [name, kind as ToolKind] as const)),
)

/** Tools that do several things, by the command of their input. */
const editors = new Set(['strreplaceeditor', 'strreplacebasededittool', 'texteditorcodeexecution', 'fileeditor'])

const byCommand: { readonly [command: string]: ToolKind } = {
  view: 'read',
  create: 'write',
  str_replace: 'edit',
  insert: 'edit',
  undo_edit: 'edit',
}

/** The kinds of the Agent Client Protocol: an agent that speaks it says what a call does. */
const byProtocol: { readonly [kind: string]: ToolKind } = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'run',
  think: 'think',
  fetch: 'fetch',
  switch_mode: 'plan',
}

/** The kind of a call: as its protocol says, by its name, by the command of an editor, else by the fields of its input. */
export function toolKindOf({ name, input, meta }: NamedCall): ToolKind {
  const stated = ownKind(byProtocol, meta?.acp?.kind)
  if (stated !== undefined) return stated
  const bare = bareNameOf(name)
  if (editors.has(bare)) return ownKind(byCommand, isJsonObject(input) ? input.command : undefined) ?? 'edit'
  return byName.get(bare) ?? kindOfFields(isJsonObject(input) ? input : {}, bare)
}

/** `readfile` of `mcp__files__read_file`, and of Cursor's `readFileToolCall`. */
function bareNameOf(name: string): string {
  const last = name.split(/__|[.:/]/).at(-1) ?? name
  return last
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/toolcall$/, '')
}

function ownKind(table: { readonly [key: string]: ToolKind }, key: Json | undefined): ToolKind | undefined {
  return isText(key) && Object.hasOwn(table, key) ? table[key] : undefined
}

const PATH = /^(?:file_?path|path|filename|file|target_file|absolute_path)$/i
const OLD = /^(?:old_?(?:string|str|text)|search)$/i
const PATCH = /^(?:edits|patch|diff)$/
const CONTENT = /^(?:content|file_?text|file_?contents)$/i

/** A tool of an unknown name: the fields of its input say what it does. */
function kindOfFields(input: JsonObject, bareName: string): ToolKind {
  const has = (pattern: RegExp) => Object.keys(input).some((key) => pattern.test(key))
  if (has(PATH) && (has(OLD) || has(PATCH))) return 'edit'
  if (has(PATH) && has(CONTENT)) return 'write'
  if (isText(input.command) && !has(PATH)) return 'run'
  if (isText(input.url)) return 'fetch'
  if (has(/^(?:pattern|regex)$/)) return 'search'
  if (!has(PATH)) return 'other'
  return (['read', 'delete', 'move'] as const).find((verb) => bareName.startsWith(verb)) ?? 'other'
}
