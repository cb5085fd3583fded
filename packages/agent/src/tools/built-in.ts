import { defineTool, type Tool } from '../tool.ts'
import { editFileTool, listFilesTool, readFileTool, writeFileTool } from './files.ts'
import { shellTool } from './shell.ts'

const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const

interface TodoInput {
  readonly todos: readonly { readonly content: string; readonly status: (typeof STATUSES)[number] }[]
}

/** The list itself is read from the call, as from the calls of other agents' todo tools. */
const todoTool: Tool<TodoInput> = defineTool({
  id: 'todo_write',
  description: 'Replaces the list of todos, which people see. Write it when the plan is made and whenever it changes.',
  input: {
    type: 'object',
    properties: {
      todos: {
        type: 'array',
        items: {
          type: 'object',
          properties: { content: { type: 'string' }, status: { type: 'string', enum: STATUSES } },
          required: ['content', 'status'],
        },
      },
    },
    required: ['todos'],
  },
  call: ({ todos }) => `The list has ${todos.length} ${todos.length === 1 ? 'item' : 'items'}.`,
})

/**
 * Tools for the folder that the agent works in. Paths, links included, stay inside it; the shell is asked for because it
 * does not, and so are the tools that write.
 */
export const builtInTools: { readonly [Name in BuiltInName]: Tool } = {
  shell: shellTool,
  read_file: readFileTool,
  write_file: writeFileTool,
  edit_file: editFileTool,
  list_files: listFilesTool,
  todo_write: todoTool,
}

type BuiltInName = 'shell' | 'read_file' | 'write_file' | 'edit_file' | 'list_files' | 'todo_write'
