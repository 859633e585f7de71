import { createValidator } from '@partner-payments/validator'
import { parsed } from '../faulty/json.ts'
import type { Service } from '../in-process-transport.ts'
import { todos } from './todos-contract.ts'

export const TOKEN = 'todo-token-0001'

type Row = Record<string, unknown> & { id: number }
type Tables = Record<string, Row[]>

/** How a service of todos differs from the plain one. */
export interface TodosOptions {
  /** Default: `todos`. */
  readonly contract?: object
  /** Default page size. Default: all todos. */
  readonly page?: number
  /** Number of initial todos for each caller with own records. Default: 0. */
  readonly begun?: number
  /** Number of users. Default: 0. */
  readonly users?: number
  /** Whether the credentials are valid, instead of the check of the token. */
  readonly isKnown?: (request: Request) => boolean
  /** The challenge of a 401 response. Default: `Bearer`. */
  readonly challenge?: string
  /** Whether each caller sees only its own records. Default: all see all. */
  readonly isOwned?: boolean
}

/** A correct service of the todos contract. Without a token in the contract, it checks no credentials. */
export function createTodos(
  token?: string,
  {
    contract = todos,
    page = Number.POSITIVE_INFINITY,
    begun = 0,
    users = 0,
    isKnown,
    isOwned = false,
    challenge = 'Bearer',
  }: TodosOptions = {},
): Service {
  const validator = createValidator(contract)
  const tablesOf = new Map<string, Tables>()
  // Ids are counted per table, as in databases: user 1 is not todo 1.
  const last: Record<string, number> = { users: 0, todos: 0 }

  function done({ who, method, path, query, body }: Asked): Response {
    const [, name = '', id] = path.split('/')
    const rows = tableOf(who, name)
    const row = rows.find((it) => String(it.id) === id)
    if (id === undefined && method === 'GET') return json(200, pageOf(rows, query, page))
    if (id === undefined)
      return json(201, added(rows, name, { ...(name === 'todos' && { done: 'no' }), ...known(body) }))
    if (!row) return json(404, { error: 'there is none' })
    if (method === 'GET') return json(200, row)
    if (method === 'PATCH') return json(200, Object.assign(row, known(body)))
    rows.splice(rows.indexOf(row), 1)
    return new Response(null, { status: 204 })
  }

  function added(rows: Row[], name: string, values: Record<string, unknown>): Row {
    const id = (last[name] ?? 0) + 1
    last[name] = id
    const row = { id, ...values }
    rows.push(row)
    return row
  }

  function tableOf(who: string, name: string): Row[] {
    const owner = isOwned ? who : ''
    const tables = tablesOf.get(owner) ?? begunTables()
    tablesOf.set(owner, tables)
    const rows = tables[name] ?? []
    tables[name] = rows
    return rows
  }

  function begunTables(): Tables {
    const tables = { users: [] as Row[], todos: [] as Row[] }
    for (let i = 0; i < users; i++) added(tables.users, 'users', { name: `User ${i}` })
    for (let i = 0; i < begun; i++) added(tables.todos, 'todos', { title: `Todo ${i}`, done: 'no' })
    return tables
  }

  const isLetIn = isKnown ?? ((request) => token === undefined || tokenOf(request) === token)

  return async (request) => {
    const { pathname: path, search: query } = new URL(request.url)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const found = validator.findOperation(method, path)
    if (!found.found && found.status === 404) return json(404, { error: 'there is no such path' })
    if (!found.found) return json(405, { error: 'not so' }, { allow: found.allow.join(', ') })
    if (!isLetIn(request)) return json(401, { error: 'who are you?' }, { 'www-authenticate': challenge })
    const text = await request.text()
    const type = request.headers.get('content-type') ?? ''
    const takesBody = method === 'POST' || method === 'PATCH' || method === 'PUT'
    if (takesBody && !/^application\/json\b/i.test(type)) return json(415, { error: 'JSON, please' })
    const body = text === '' ? undefined : parsed(text)
    const headers = Object.fromEntries(request.headers)
    const findings = validator.validateRequest({ method, path, query: query.slice(1), headers, body })
    if (findings.length > 0 || (takesBody && body === undefined))
      return json(400, { error: 'not in this form' })
    return done({
      who: tokenOf(request) ?? '',
      method,
      path,
      query: new URLSearchParams(query),
      body: (body ?? {}) as Record<string, unknown>,
    })
  }
}

interface Asked {
  readonly who: string
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
}

/** Unknown fields are dropped. */
function known(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => NAMES.includes(name)))
}

const NAMES = ['name', 'title', 'priority', 'done', 'customer', 'due_at', 'lines', 'kind']

/** Parses numbers as leniently as JavaScript. */
function pageOf(rows: readonly Row[], query: URLSearchParams, standard: number): Row[] {
  const { limit = standard, offset = 0, ...filters } = Object.fromEntries(query)
  const found = rows.filter((row) =>
    Object.entries(filters).every(([name, value]) => name === KEY || row[name] === value),
  )
  return found.slice(Number(offset), Number(offset) + Number(limit))
}

/** The query parameter of an API key. */
export const KEY = 'key'

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers })
}

/** The name of the scheme is case-insensitive (RFC 9110, section 11.1). */
function tokenOf({ headers }: Request): string | undefined {
  return /^bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
}
