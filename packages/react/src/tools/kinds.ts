import type { IconName } from '../icon.tsx'

/** What a tool does, inferred from its name. It decides the icon and the wording, never whether something is shown. */
export interface ToolKind {
  readonly icon: IconName
  /** Names in lower case without punctuation. */
  readonly names: readonly string[]
  /** The input fields that may hold the one-line argument, the best first. */
  readonly argument: readonly string[]
}

const PATHS = ['file_path', 'path', 'filePath', 'target_file', 'filename', 'file', 'notebook_path']

const kinds = {
  command: {
    icon: 'terminal',
    names: [
      'bash',
      'shell',
      'terminal',
      'exec',
      'execcommand',
      'execute',
      'executecommand',
      'runcommand',
      'localshell',
    ].concat(['runshellcommand', 'commandexecution', 'bashcodeexecution', 'runterminalcmd', 'run', 'powershell']),
    argument: ['command', 'cmd', 'script', 'code'],
  },
  code: {
    icon: 'terminal',
    names: ['python', 'pythoninterpreter', 'codeinterpreter', 'codeexecution', 'executepython', 'executecode', 'repl'],
    argument: ['code', 'script', 'input'],
  },
  read: {
    icon: 'file',
    names: ['read', 'readfile', 'view', 'viewfile', 'cat', 'openfile', 'getfile', 'readmanyfiles', 'notebookread'],
    argument: PATHS,
  },
  edit: {
    icon: 'pencil',
    names: [
      'edit',
      'multiedit',
      'editfile',
      'strreplace',
      'strreplaceeditor',
      'applypatch',
      'replace',
      'updatefile',
    ].concat(['filechange', 'notebookedit', 'strreplacebasededittool', 'searchreplace', 'patch']),
    argument: PATHS,
  },
  write: {
    icon: 'pencil',
    names: ['write', 'writefile', 'createfile', 'savefile'],
    argument: PATHS,
  },
  search: {
    icon: 'search',
    names: [
      'grep',
      'glob',
      'search',
      'find',
      'ripgrep',
      'searchfiles',
      'searchcode',
      'searchfilecontent',
      'filesearch',
    ].concat(['codebasesearch', 'grepsearch', 'findfiles', 'toolsearch']),
    argument: ['pattern', 'query', 'regex', 'q', 'glob'],
  },
  list: {
    icon: 'folder',
    names: ['ls', 'list', 'listdir', 'listdirectory', 'listfiles', 'listfolder'],
    argument: ['path', 'dir', 'directory', 'dir_path'],
  },
  web: {
    icon: 'globe',
    names: ['websearch', 'googlesearch', 'googlewebsearch', 'internetsearch', 'searchweb', 'tavilysearch'],
    argument: ['query', 'q', 'queries'],
  },
  fetch: {
    icon: 'globe',
    names: ['fetch', 'webfetch', 'fetchurl', 'httprequest', 'browse', 'openurl', 'visitwebpage', 'urlcontext'],
    argument: ['url', 'uri', 'urls', 'prompt'],
  },
  other: {
    icon: 'dots',
    names: [],
    argument: ['title', 'name', 'query', 'path', 'url', 'command', 'description', 'prompt', 'message', 'text', 'id'],
  },
} as const satisfies { readonly [kind: string]: ToolKind }

export type ToolKindName = keyof typeof kinds

const byName = new Map<string, ToolKindName>(
  Object.entries(kinds).flatMap(([kind, { names }]) => names.map((name) => [name, kind as ToolKindName])),
)

/** The name without the prefix of its server: `read_file` of `mcp__server__read_file`. */
export function bareNameOf(toolName: string): string {
  return toolName.split(/__|[.:/]/).at(-1) ?? toolName
}

export function kindNameOf(toolName: string): ToolKindName {
  return (
    byName.get(
      bareNameOf(toolName)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, ''),
    ) ?? 'other'
  )
}

export function kindOf(toolName: string): ToolKind {
  return kinds[kindNameOf(toolName)]
}
