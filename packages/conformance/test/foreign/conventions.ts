import { parsed } from '../faulty/json.ts'
import type { Service } from '../in-process-transport.ts'
import { errors, object, responseOf, todos } from './todos-contract.ts'

function withConventions() {
  const { '/todos': all, '/todos/{todoId}': one, ...rest } = todos.paths
  const paths = {
    ...rest,
    '/todos': {
      get: { ...all.get, parameters: [...all.get.parameters, ...PAGING], ...responsesOf('Page') },
      post: all.post,
    },
    '/todos/{todoId}': one,
  }
  return {
    ...renamed({ ...todos, paths }),
    components: {
      ...todos.components,
      headers: HEADERS,
      schemas: { ...todos.components.schemas, ...SCHEMAS },
    },
  }
}

const PAGING = [
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
  { name: 'cursor', in: 'query', schema: { type: 'string' } },
]

function responsesOf(schema: string) {
  return { responses: { 200: responseOf(schema), ...errors(400, 401) } }
}

const HEADERS = { 'x-request-id': { schema: { type: 'string' } } }

const SCHEMAS = {
  Error: object({ type: { type: 'string' }, status: { type: 'integer' } }),
  Page: object({
    items: { type: 'array', items: { $ref: '#/components/schemas/Todo' } },
    next_cursor: { type: ['string', 'null'] },
  }),
}

/** Errors are problem details. Invalid bodies get 422, too long ones 413, and resources of others 403. */
function renamed<Contract extends object>(contract: Contract): Contract {
  const text = JSON.stringify(contract, (name, value) => {
    if (name !== 'responses') return value
    const { 415: _, 400: broken, 404: none, ...others } = value
    const error = others[401]
    return {
      ...others,
      ...(broken && { 400: broken, 413: error, 422: error }),
      ...(none && { 403: error, 404: none }),
    }
  })
  const problems = /"description":"It was refused.","content":\{"application\/json"/g
  return JSON.parse(
    text.replace(problems, '"description":"It was refused.","content":{"application/problem+json"'),
  )
}

/** The contract of todos with other conventions: other refusals, its own problem details, pages, named responses. */
export const conventions = withConventions()

/** Maximum number of records per page, whatever the limit. */
const MOST = 5

/** A service of todos with these conventions. */
export function withTheseConventions(service: Service): Service {
  const owners = new Map<string, string>()
  let named = 0

  async function served(request: Request): Promise<Response> {
    const url = new URL(request.url)
    url.pathname = url.pathname.replace(/(.)\/$/, '$1')
    if (request.method === 'HEAD') return problem(404)
    const who = request.headers.get('authorization')?.toLowerCase() ?? ''
    const owner = owners.get(url.pathname)
    const text = await request.text()
    const response = await service(read(url, request, text))
    if (response.status === 404 && owner !== undefined && owner !== who) return problem(403)
    if (response.status === 405) return problem(404)
    if (response.status === 400 && text !== '' && !(parsed(text) !== undefined)) return problem(422)
    if (response.status >= 400) return problem(response.status, Object.fromEntries(response.headers))
    if (response.status === 204) return response
    const body = await response.json()
    if (response.status === 201) owners.set(`${url.pathname}/${idIn(body)}`, who)
    if (request.method === 'DELETE') owners.delete(url.pathname)
    return Array.isArray(body) ? Response.json(pageOf(body, url.searchParams)) : Response.json(body, response)
  }

  return async (request) => {
    const response = await served(request)
    named++
    const headers = new Headers(response.headers)
    headers.set('x-request-id', `request-${named}`)
    const { status } = response
    return new Response(status === 204 ? null : response.body, { status, headers })
  }
}

/** Reads every body as JSON, whatever its type. Of duplicate fields, the first counts. */
function read(url: URL, { method, headers }: Request, text: string): Request {
  const own = new Headers(headers)
  own.set('content-type', 'application/json')
  const whole = new URL(url)
  if (/^\/todos$/.test(url.pathname) && isPaging(url.searchParams)) whole.search = filtersOf(url.searchParams)
  const body = method === 'GET' ? null : text.replace(/,"\w+":7\}$/, '}')
  return new Request(whole, { method, headers: own, body })
}

/** Whether the query has valid paging parameters. The inner service reports invalid ones. */
function isPaging(query: URLSearchParams): boolean {
  const limit = query.get('limit')
  return (limit === null || /^([1-9]\d?|100)$/.test(limit)) && /^\d*$/.test(query.get('cursor') ?? '')
}

function filtersOf(query: URLSearchParams): string {
  const others = new URLSearchParams(query)
  others.delete('limit')
  others.delete('cursor')
  return others.toString()
}

function pageOf(rows: readonly unknown[], query: URLSearchParams) {
  const begin = Number(query.get('cursor') ?? 0)
  const end = begin + Math.min(MOST, Number(query.get('limit') ?? MOST))
  return { items: rows.slice(begin, end), next_cursor: end < rows.length ? String(end) : null }
}

function idIn(body: unknown): unknown {
  return (body as { readonly id?: unknown }).id
}

function problem(status: number, { allow, ...headers }: Record<string, string> = {}): Response {
  const own = {
    'content-type': 'application/problem+json',
    ...(headers['www-authenticate'] && { 'www-authenticate': headers['www-authenticate'] }),
    ...(allow !== undefined && { allow }),
  }
  return new Response(JSON.stringify({ type: 'about:blank', status }), { status, headers: own })
}
